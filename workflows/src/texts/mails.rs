//! Mails: the subject says what is wanted, the body is complete in itself.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    ("mail.greeting", "Dear {name},", "{name}，您好："),
    (
        "mail.footer",
        "Sent by sixgate because you act as {function}. Replies to this address are not read.",
        "本邮件由sixgate发送，因为您担任{function}。此地址的回信无人阅读。",
    ),
    (
        "mail.sign_off_wanted.subject",
        "Please sign: {title}, stage {stage}",
        "请签字：{title}（{stage}）",
    ),
    (
        "mail.sign_off_wanted.body",
        "All criteria of the stage {stage} are met. Version {version} waits for your signature as {function}.",
        "{stage}阶段的条件均已满足，第{version}版等待您以{function}身份签字。",
    ),
    (
        "mail.sign_off_voided.subject",
        "Signature void: {title}, stage {stage}",
        "签字已失效：{title}（{stage}）",
    ),
    (
        "mail.sign_off_voided.body",
        "What you signed in the stage {stage} was changed afterwards ({change}). Please look at the change and sign again.",
        "您在{stage}阶段签过的内容随后有变更（{change}），请查看变更后重新签字。",
    ),
    ("mail.stage_overdue.subject", "Overdue: {title}, stage {stage}", "已超期：{title}（{stage}）"),
    (
        "mail.stage_overdue.body",
        "The stage {stage} was planned for {planned} days and has taken {days}. {blockers} points keep its gate closed; you can meet at least one of them.",
        "{stage}阶段计划{planned}天，已用{days}天。关口尚有{blockers}项未满足，其中至少一项可由您完成。",
    ),
    (
        "mail.quote_validity.subject",
        "Quote of {supplier} ends on {date}: {title}",
        "{supplier}报价{date}到期：{title}",
    ),
    (
        "mail.quote_validity.body",
        "The quote of {supplier} is valid until {date}. Ask for an extension or a new quote before that day.",
        "{supplier}的报价有效期至{date}，请在此之前续期或重新询价。",
    ),
    (
        "mail.qualification_expiry.subject",
        "Qualification of {supplier} ends on {date}: {title}",
        "{supplier}资质{date}到期：{title}",
    ),
    (
        "mail.qualification_expiry.body",
        "A reviewed qualification of {supplier} is valid until {date}. Ask for the renewed certificate and review it.",
        "{supplier}的一项已核查资质有效期至{date}，请索取更新后的证书并重新核查。",
    ),
    (
        "mail.trial_end.subject",
        "Trial at {supplier} ends on {date}: {title}",
        "{supplier}试用{date}结束：{title}",
    ),
    (
        "mail.trial_end.body",
        "The trial quota at {supplier} ends on {date}. Finish the tests, or ask for more time.",
        "{supplier}的试用额度{date}结束，请完成测试或申请延期。",
    ),
    (
        "mail.contract_expiry.subject",
        "Contract with {supplier} ends on {date}: {title}",
        "与{supplier}的合同{date}到期：{title}",
    ),
    (
        "mail.contract_expiry.body",
        "The contract with {supplier} ends on {date}. Decide in time whether to renew, switch or retire.",
        "与{supplier}的合同{date}到期，请及时决定续约、切换或退役。",
    ),
    (
        "mail.review_invitation.subject",
        "Quarterly review {quarter}: {title}",
        "季度复盘{quarter}：{title}",
    ),
    (
        "mail.review_invitation.body",
        "You are invited to the quarterly review of {quarter}, which ends on {date}: actual use against forecast, cost against budget, SLA record, split between suppliers, idle trend.",
        "邀请您参加{quarter}季度复盘（季度末为{date}）：实际用量与预测、费用与预算、SLA记录、供应商份额、空转趋势。",
    ),
    (
        "mail.review_pack.subject",
        "Figures for the review {quarter}: {title}",
        "复盘材料{quarter}：{title}",
    ),
    (
        "mail.review_pack.body",
        "The quarter {quarter} ended on {date}. Its figures are complete; please hold the review and record its decisions.",
        "{quarter}已于{date}结束，数据已齐，请召开复盘并记录决定。",
    ),
    (
        "mail.review_chaser.subject",
        "Review {quarter} not held yet: {title}",
        "{quarter}复盘尚未召开：{title}",
    ),
    (
        "mail.review_chaser.body",
        "The quarter {quarter} ended on {date} and its review has not been recorded. Please hold it and record owners and dates of what is decided.",
        "{quarter}已于{date}结束，复盘尚无记录，请尽快召开并记录决定的负责人和日期。",
    ),
    (
        "mail.sla_incident.subject",
        "{severity} at {supplier}: {title}",
        "{supplier}发生{severity}：{title}",
    ),
    (
        "mail.sla_incident.body",
        "{supplier} has had an interruption since {started}: {what}. Keep the logs; they are the evidence for a claim.",
        "{supplier}自{started}起发生中断：{what}。请保留日志，作为索赔依据。",
    ),
    (
        "mail.sla_breach.subject",
        "{supplier} can no longer reach its SLA in {month}: {title}",
        "{supplier}{month}已无法达到SLA：{title}",
    ),
    (
        "mail.sla_breach.body",
        "{supplier} promised an availability of {promised}. The interruptions recorded in {month} exceed what that allows. Prepare the claim.",
        "{supplier}承诺可用性{promised}，{month}记录的中断已超出允许范围，请准备索赔。",
    ),
    ("mail.sla_statement.subject", "SLA statement {month}: {title}", "{month} SLA月报：{title}"),
    (
        "mail.sla_statement.body",
        "The availability of all suppliers in {month} is complete and can be looked at.",
        "{month}各供应商的可用性数据已齐，可供查看。",
    ),
    (
        "mail.supplier_split.subject",
        "Split between suppliers left its band in {month}: {title}",
        "{month}供应商份额超出范围：{title}",
    ),
    (
        "mail.supplier_split.body",
        "Shares of used card-hours in {month}, with the band each should keep: {shares}. Move work, or decide a new split.",
        "{month}已用卡时份额（括号内为应保持的范围）：{shares}。请调整负载或重新决定份额。",
    ),
    (
        "mail.too_few_suppliers.subject",
        "Only {kept} qualified suppliers left: {title}",
        "仅剩{kept}家合格供应商：{title}",
    ),
    (
        "mail.too_few_suppliers.body",
        "{kept} qualified suppliers under contract are left, at least {least} are wanted. Renew a qualification or qualify another supplier.",
        "目前合同有效且资质合格的供应商为{kept}家，要求至少{least}家。请更新资质或引入新的供应商。",
    ),
    (
        "mail.weekly_reconciliation.subject",
        "Weekly reconciliation {date}: {title}",
        "每周对账{date}：{title}",
    ),
    (
        "mail.weekly_reconciliation.body",
        "Compare last week's used hours with the bill, line by line (week before {date}). If idle time stays high, look at scheduling and queueing before changing cards.",
        "请逐条核对上周（{date}之前一周）的实际使用时长与账单。空转持续偏高时，先查调度和排队，再谈换卡。",
    ),
    (
        "mail.budget_burn.subject",
        "{percent} % of the budget is spent: {title}",
        "预算已用{percent}%：{title}",
    ),
    (
        "mail.budget_burn.body",
        "The recorded bills have reached {percent} % of the budget of {budget}.",
        "已记录的账单达到预算{budget}的{percent}%。",
    ),
    ("mail.budget_forecast.subject", "The budget will not last: {title}", "预算预计超支：{title}"),
    (
        "mail.budget_forecast.body",
        "Carried on as billed up to {date}, the term will cost {forecast}; the budget is {budget}. Cut the use, or ask for more before it is spent.",
        "按截至{date}的账单推算，整个租期将花费{forecast}，预算为{budget}。请压缩用量，或在用完之前申请追加。",
    ),
    (
        "mail.sla_claim.subject",
        "Claim against {supplier} for {month} by {date}: {title}",
        "{month}对{supplier}的索赔须在{date}前提出：{title}",
    ),
    (
        "mail.sla_claim.body",
        "{supplier} promised an availability of {promised} and missed it in {month}. Credits can be claimed until {date} and are forfeited after it. Send the claim with the logs of the interruptions.",
        "{supplier}承诺可用性{promised}，{month}未达到。索赔截止{date}，逾期作废。请附中断日志提出索赔。",
    ),
    ("mail.rent_to_own.subject", "Owning may pay: {title}", "可考虑自购：{title}"),
    (
        "mail.rent_to_own.body",
        "A card has been in use {hours} hours a day (above {least}), an operations team is there, and {months} months of use come near; hardware takes up to {lead} months to arrive. Compare buying with renting now.",
        "单卡日均使用{hours}小时（超过{least}小时），已有运维团队，使用期接近{months}个月；硬件到货最长需{lead}个月。请现在比较自购与租用。",
    ),
];
