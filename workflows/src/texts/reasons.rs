//! Why a criterion or a checklist item is unmet.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("reason.sign_off_missing", "{function} has not signed", "{function}尚未签字"),
    ("reason.brief_missing", "no brief has been recorded", "尚未记录需求清单"),
    (
        "reason.still_to_be_determined",
        "it is still to be determined in the brief",
        "需求清单中仍为待定",
    ),
    ("reason.sizing_missing", "the present brief has not been sized", "当前需求清单尚未做显存估算"),
    (
        "reason.sizing_fits_only_at_best",
        "it fits only at best: {at_best} to {required} GiB required, {usable} GiB usable",
        "仅在最好情况下可容纳：需要{at_best}–{required} GiB，可用{usable} GiB",
    ),
    (
        "reason.sizing_does_not_fit",
        "it does not fit: {at_best} to {required} GiB required, {usable} GiB usable",
        "无法容纳：需要{at_best}–{required} GiB，可用{usable} GiB",
    ),
    (
        "reason.brief_groups_blank",
        "these groups of the brief are blank: {groups}",
        "需求清单以下各组为空：{groups}",
    ),
    (
        "reason.budget_plan_missing",
        "term, reserve and currency have not been planned",
        "尚未确定周期、预留比例和币种",
    ),
    (
        "reason.cost_kinds_missing",
        "nothing is stated for: {kinds}",
        "以下费用类别尚未填写：{kinds}",
    ),
    (
        "reason.cost_lines_unknown",
        "something is to be determined, or an exchange rate missing, in: {lines}",
        "以下费用行尚有待定项或缺少汇率：{lines}",
    ),
    ("reason.cannot_be_calculated", "it cannot be calculated: {why}", "无法计算：{why}"),
    (
        "reason.reserve_outside_band",
        "the reserve is {reserve}, the policy asks for {band}",
        "预留比例为{reserve}，制度要求{band}",
    ),
    (
        "reason.candidate_count",
        "there are {count} candidates, the policy asks for {least} to {most}",
        "现有{count}家候选，制度要求{least}–{most}家",
    ),
    ("reason.no_candidates", "there is no candidate", "没有候选供应商"),
    (
        "reason.qualifications_open",
        "not reviewed, or no longer valid: {suppliers}",
        "未核查或已失效：{suppliers}",
    ),
    (
        "reason.scores_open",
        "too few evaluators have scored: {suppliers}",
        "评分人数不足：{suppliers}",
    ),
    (
        "reason.quotes_not_comparable",
        "no comparable and valid quote: {suppliers}",
        "没有可比且有效的报价：{suppliers}",
    ),
    (
        "reason.finalist_count",
        "there are {count} finalists, the policy asks for {least} to {most}",
        "现有{count}家入围，制度要求{least}–{most}家",
    ),
    ("reason.no_finalists", "there is no finalist", "没有入围供应商"),
    (
        "reason.evidence_open",
        "evidence files are missing: {suppliers}",
        "证据文件不全：{suppliers}",
    ),
    (
        "reason.verdicts_open",
        "no verdict, or inconclusive: {suppliers}",
        "没有结论或无法判定：{suppliers}",
    ),
    ("reason.no_finalist_accepted", "no finalist has passed", "没有供应商通过验收"),
    ("reason.baselines_open", "the baseline is missing: {suppliers}", "缺少基线：{suppliers}"),
    ("reason.award_open", "nothing has been awarded", "尚未授标"),
    ("reason.terms_open", "no terms are recorded: {suppliers}", "未记录合同条款：{suppliers}"),
    (
        "reason.terms_fall_short",
        "{supplier}: not agreed or below the policy: {clauses}",
        "{supplier}：未谈妥或低于制度要求：{clauses}",
    ),
    (
        "reason.legal_review_open",
        "legal has not approved the terms of: {suppliers}",
        "法务尚未通过以下供应商的条款：{suppliers}",
    ),
    ("reason.contracts_open", "no contract is signed with: {suppliers}", "尚未签约：{suppliers}"),
    ("reason.scaling_plan_missing", "no scaling plan has been recorded", "尚未制定扩容方案"),
    (
        "reason.clauses_open",
        "the clauses are not agreed with: {suppliers}",
        "相关条款尚未谈妥：{suppliers}",
    ),
    (
        "reason.feeds_old_or_missing",
        "no usage or availability data within {days} days: {suppliers}",
        "{days}天内没有用量或可用性数据：{suppliers}",
    ),
    (
        "reason.too_few_suppliers",
        "{kept} qualified suppliers are kept, the policy asks for {least}",
        "现有{kept}家合格供应商，制度要求{least}家",
    ),
    ("reason.reviews_not_planned", "no quarterly review is planned", "尚未计划季度复盘"),
    (
        "reason.outcome_open",
        "it is not decided whether to renew, switch or retire",
        "尚未决定续约、切换或退役",
    ),
];
