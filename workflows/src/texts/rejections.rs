//! What is said when a command is rejected: what is wrong and what to do.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    (
        "rejection.already_a_candidate",
        "This supplier is a candidate already.",
        "该供应商已是候选。",
    ),
    (
        "rejection.already_expired",
        "{expires_on} has passed. Give a later date.",
        "{expires_on}已过期，请填写更晚的日期。",
    ),
    ("rejection.already_registered", "It exists already.", "已存在。"),
    (
        "rejection.already_signed",
        "{function} has signed this version already.",
        "{function}已签过此版本。",
    ),
    (
        "rejection.awarded_twice",
        "A supplier is listed twice in the award.",
        "授标中同一供应商出现两次。",
    ),
    ("rejection.brief_missing", "Record the brief first.", "请先记录需求清单。"),
    (
        "rejection.budget_plan_missing",
        "Plan term, reserve and currency first.",
        "请先确定周期、预留比例和币种。",
    ),
    (
        "rejection.criterion_met",
        "{criterion} is met and needs no waiver.",
        "{criterion}已满足，无需豁免。",
    ),
    (
        "rejection.criterion_of_other_stage",
        "{criterion} belongs to the stage {stage}; only the present stage's criteria can be waived.",
        "{criterion}属于{stage}阶段，只能豁免当前阶段的条件。",
    ),
    (
        "rejection.currency_differs",
        "The amount is in {given}, the budget in {expected}. Convert it with a stated rate first.",
        "金额为{given}，预算为{expected}，请先按注明的汇率换算。",
    ),
    (
        "rejection.explanation_missing",
        "The last test failed. Record the supplier's explanation before new evidence.",
        "上次测试未通过，请先记录供应商的解释，再提交新证据。",
    ),
    (
        "rejection.four_eyes",
        "You alone entered what {function} would sign. Somebody else must sign or have contributed.",
        "待签内容全部由您一人录入，须由他人以{function}身份签字或参与录入。",
    ),
    ("rejection.function_missing", "You do not act as {function}.", "您没有{function}身份。"),
    (
        "rejection.gate_closed",
        "The gate of the stage {stage} is closed by {blockers} open points.",
        "{stage}阶段关口尚有{blockers}项未满足。",
    ),
    (
        "rejection.has_ended",
        "This procurement has ended and takes no further entries.",
        "该采购已结束，不再接受录入。",
    ),
    ("rejection.incident_known", "This incident has been reported already.", "该事件已上报。"),
    ("rejection.invalid_value", "{what}: {why}", "填写的内容不能接受（{what}：{why}）。"),
    (
        "rejection.is_on_hold",
        "This procurement is on hold. Resume it first.",
        "该采购已搁置，请先恢复。",
    ),
    (
        "rejection.last_stage",
        "Operation is the last stage. Close the procurement instead.",
        "已是最后阶段，请结束采购。",
    ),
    ("rejection.no_contract", "There is no contract with this supplier.", "与该供应商没有合同。"),
    (
        "rejection.no_such_candidate",
        "This supplier is no candidate here. Add it first.",
        "该供应商不是候选，请先添加。",
    ),
    (
        "rejection.no_such_finalist",
        "This supplier is no finalist here. Choose it first.",
        "该供应商未入围，请先选定。",
    ),
    ("rejection.no_such_incident", "No such incident has been reported.", "没有该事件。"),
    ("rejection.no_such_person", "There is no such active person.", "没有该在职人员。"),
    ("rejection.no_such_procurement", "There is no such procurement.", "没有该采购。"),
    (
        "rejection.no_such_supplier",
        "There is no such supplier in the registry. Register it first.",
        "供应商库中没有该供应商，请先登记。",
    ),
    ("rejection.not_a_person", "Only a person can do this.", "此操作只能由人员执行。"),
    (
        "rejection.not_accepted",
        "This supplier's machines have not passed the acceptance.",
        "该供应商的机器尚未通过验收。",
    ),
    ("rejection.not_awarded", "This supplier is not part of the award.", "该供应商未中标。"),
    (
        "rejection.not_earlier",
        "{stage} does not come before the present stage.",
        "{stage}不在当前阶段之前。",
    ),
    (
        "rejection.not_in_operation",
        "Only a procurement in operation can be closed. Cancel it instead.",
        "只有上线与管理阶段的采购可以结束，其他阶段请取消。",
    ),
    ("rejection.not_on_hold", "This procurement is not on hold.", "该采购未被搁置。"),
    (
        "rejection.not_one_primary",
        "An award has exactly one primary supplier, this one has {primaries}.",
        "授标须有且仅有一家主供应商，当前为{primaries}家。",
    ),
    (
        "rejection.not_qualified",
        "This candidate's qualifications are not reviewed, incomplete or expired.",
        "该候选的资质未核查、不全或已过期。",
    ),
    (
        "rejection.not_signed_here",
        "{function} does not sign at the gate of the stage {stage}.",
        "{stage}阶段关口不需要{function}签字。",
    ),
    ("rejection.nothing_changes", "This would change nothing.", "没有任何变化。"),
    (
        "rejection.nothing_to_explain",
        "There is no failed verdict to explain.",
        "没有需要解释的不通过结论。",
    ),
    (
        "rejection.online_agreement",
        "An online user agreement is not accepted as a contract. Ask for a signed one.",
        "线上用户协议不能作为合同，请要求签署正式合同。",
    ),
    (
        "rejection.policy_already_newest",
        "Version {version} is the newest policy already.",
        "第{version}版已是最新制度。",
    ),
    (
        "rejection.policy_version_taken",
        "The next policy is version {expected}, not {version}. Look at the newest one first.",
        "下一版制度应为第{expected}版而非第{version}版，请先查看最新版。",
    ),
    (
        "rejection.review_not_planned",
        "No review is planned for {quarter}.",
        "{quarter}没有计划复盘。",
    ),
    ("rejection.score_missing", "A mark for {criterion} is missing.", "缺少{criterion}的评分。"),
    (
        "rejection.share_outside_band",
        "The share {share} lies outside the policy's band {band}.",
        "份额{share}不在制度范围{band}内。",
    ),
    (
        "rejection.shares_do_not_add_up",
        "The shares add up to {total} %, not to 100 %.",
        "份额合计{total}%，不是100%。",
    ),
    (
        "rejection.signed_for_other",
        "You have signed here for {function}; one person signs for one function at a gate.",
        "您已在此关口以{function}身份签字，一人只能代表一个职能。",
    ),
    (
        "rejection.sizing_needs",
        "The sizing needs {field}, which is to be determined or out of bounds.",
        "显存估算需要{field}，目前为待定或超出范围。",
    ),
    (
        "rejection.supplier_withdrawn",
        "This supplier has been withdrawn from the registry.",
        "该供应商已从供应商库移除。",
    ),
    (
        "rejection.terms_missing",
        "No terms are recorded for this supplier.",
        "尚未记录该供应商的条款。",
    ),
    (
        "rejection.too_many_candidates",
        "There can be at most {most} candidates. Drop one first.",
        "最多{most}家候选，请先移除一家。",
    ),
    (
        "rejection.too_many_finalists",
        "There can be at most {most} finalists.",
        "最多{most}家入围。",
    ),
    (
        "rejection.usage_overlaps",
        "Usage between {from} and {until} has been recorded already.",
        "{from}至{until}之间的用量已有记录。",
    ),
    (
        "rejection.version_changed",
        "You saw version {signed}, the present one is {current}. Look at the change and sign again.",
        "您看到的是第{signed}版，当前为第{current}版，请查看变更后重新签字。",
    ),
    (
        "rejection.waiver_too_long",
        "A waiver lasts at most {days_max} days.",
        "豁免最长{days_max}天。",
    ),
    (
        "rejection.wrong_stage",
        "This belongs to the stage {needed}; the procurement is in {current}.",
        "此操作属于{needed}阶段，采购当前在{current}阶段。",
    ),
    ("rejection.person_inactive", "This person is no longer active.", "该人员已停用。"),
    ("error.forbidden", "Your functions do not allow this.", "您的职能不允许此操作。"),
    ("error.not_found", "It does not exist, or you may not see it.", "不存在，或您无权查看。"),
    (
        "error.command_id_reused",
        "This command id was used for another command. Make a new one.",
        "该命令编号已用于其他命令，请使用新的编号。",
    ),
    (
        "error.revision_changed",
        "It has changed since you looked at it. Look again and decide anew.",
        "内容已有变更，请重新查看后再操作。",
    ),
    (
        "error.conflict",
        "Others changed it at the same time. Please try again.",
        "他人正在同时修改，请重试。",
    ),
    ("error.import", "The file cannot be used", "文件无法使用"),
    (
        "error.outcome_unknown",
        "It is not known whether this was stored. Send the same command again once the service is back.",
        "无法确定是否已保存，请在服务恢复后以相同编号重新提交。",
    ),
];
