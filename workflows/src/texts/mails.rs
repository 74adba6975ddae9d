//! Mails: subject and first line say what is wanted and by when, the body is complete in itself.
//!
//! `{by}` is a phrase of its own, such as “by Tue 31 Mar 2026” or “at once”, so a sentence must read on
//! with either.

use super::Entry;

pub(super) const ENTRIES: &[Entry] = &[
    (
        "mail.sign_off_wanted.subject",
        "Please sign {by}: {title}, stage {stage}",
        "请{by}签字：{title}（{stage}）",
    ),
    (
        "mail.sign_off_wanted.lead",
        "Please sign the stage {stage} of “{title}” as {function} {by}.",
        "请{by}以{function}身份为“{title}”的{stage}阶段签字。",
    ),
    (
        "mail.sign_off_wanted.body",
        "All criteria of the stage are met; only signatures are missing. Yours is bound to version {version}: whoever changes it afterwards voids the signature.",
        "该阶段条件均已满足，只差签字。您的签字对应第{version}版，之后如有变更，签字即失效。",
    ),
    ("mail.sign_off_wanted.action", "Look at the stage and sign", "查看并签字"),
    (
        "mail.sign_off_voided.subject",
        "Please look and sign again {by}: {title}, stage {stage}",
        "请{by}查看并重新签字：{title}（{stage}）",
    ),
    (
        "mail.sign_off_voided.lead",
        "What you signed in the stage {stage} of “{title}” was changed afterwards. Please look at the change and sign again {by}.",
        "您在“{title}”的{stage}阶段签过的内容随后有变更，请{by}查看并重新签字。",
    ),
    (
        "mail.sign_off_voided.body",
        "Your signature belonged to the version before and is void. It stays in the history, together with what changed.",
        "原签字对应变更前的版本，已失效；签字与变更均保留在历史记录中。",
    ),
    ("mail.sign_off_voided.action", "Look at the change", "查看变更"),
    (
        "mail.stage_overdue.subject",
        "Overdue, please clear {by}: {title}, stage {stage}",
        "已超期，请{by}处理：{title}（{stage}）",
    ),
    (
        "mail.stage_overdue.lead",
        "The stage {stage} of “{title}” was planned to end on {planned_end}. Please do what you can to close it {by}.",
        "“{title}”的{stage}阶段原定{planned_end}结束，请{by}尽力完成。",
    ),
    (
        "mail.stage_overdue.body",
        "It was planned for {planned} days and has taken {days}. Open points: {blockers}. At least one of them can be met by you; with none left open, the stage waits to be advanced.",
        "该阶段计划{planned}天，已用{days}天，未满足项：{blockers}。其中至少一项可由您完成；如已全部满足，则只待推进。",
    ),
    ("mail.stage_overdue.action", "See what is open", "查看未满足项"),
    (
        "mail.quote_validity.subject",
        "Extend or replace {by}: quote of {supplier}, {title}",
        "请{by}续期或重新询价：{supplier}报价，{title}",
    ),
    (
        "mail.quote_validity.lead",
        "The quote of {supplier} for “{title}” is valid until {date}. Please ask for an extension or a new quote {by}.",
        "{supplier}对“{title}”的报价有效期至{date}，请{by}续期或重新询价。",
    ),
    (
        "mail.quote_validity.body",
        "After that day the prices below do not bind the supplier any more.",
        "逾期后，下列价格对供应商不再有约束力。",
    ),
    ("mail.quote_validity.action", "Look at the quotes", "查看报价"),
    (
        "mail.qualification_expiry.subject",
        "Have it renewed {by}: qualification of {supplier}, {title}",
        "请{by}更新：{supplier}资质，{title}",
    ),
    (
        "mail.qualification_expiry.lead",
        "{what} of {supplier} is valid until {date}. Please ask for the renewed certificate and review it {by}.",
        "{supplier}的{what}有效期至{date}，请{by}索取更新后的证书并重新核查。",
    ),
    (
        "mail.qualification_expiry.body",
        "Once it has expired the supplier does not count as qualified in “{title}”.",
        "过期后，该供应商在“{title}”中不再视为合格。",
    ),
    ("mail.qualification_expiry.action", "Look at the qualifications", "查看资质"),
    (
        "mail.trial_end.subject",
        "Finish the tests {by}: trial at {supplier}, {title}",
        "请{by}完成测试：{supplier}试用，{title}",
    ),
    (
        "mail.trial_end.lead",
        "The trial at {supplier} for “{title}” ends on {date}. Please finish the tests {by}, or ask for more time.",
        "{supplier}为“{title}”提供的试用{date}结束，请{by}完成测试，或申请延期。",
    ),
    (
        "mail.trial_end.body",
        "What is not measured by then is missing from the verdict.",
        "届时未测的项目将在验收结论中缺失。",
    ),
    ("mail.trial_end.action", "See what is measured", "查看测试进度"),
    (
        "mail.contract_expiry.subject",
        "Renew, switch or retire {by}: contract with {supplier}, {title}",
        "请{by}决定续约、切换或退役：{supplier}合同，{title}",
    ),
    (
        "mail.contract_expiry.lead",
        "The contract with {supplier} for “{title}” ends on {date}. Please have it decided {by} whether to renew, switch or retire.",
        "与{supplier}就“{title}”签订的合同{date}到期，请{by}决定续约、切换或退役。",
    ),
    (
        "mail.contract_expiry.body",
        "Without a decision the capacity is gone, or goes on at the on-demand price.",
        "如不决定，算力将中断，或转为按需价格。",
    ),
    ("mail.contract_expiry.action", "Look at the contract", "查看合同"),
    (
        "mail.review_invitation.subject",
        "Quarterly review {quarter} on {meeting}: {title}",
        "{meeting}季度复盘{quarter}：{title}",
    ),
    (
        "mail.review_invitation.lead",
        "You are invited to the quarterly review {quarter} of “{title}” on {meeting}.",
        "邀请您于{meeting}参加“{title}”的{quarter}季度复盘。",
    ),
    (
        "mail.review_invitation.body",
        "On the table: actual use against forecast, cost against budget, cost per useful card-hour, SLA record, split between suppliers, idle trend. Each decision gets an owner and a date. The figures up to now:",
        "议题：实际用量与预测、费用与预算、每有效卡时成本、SLA记录、供应商份额、空转趋势。每项决定须有负责人和日期。截至目前的数据：",
    ),
    ("mail.review_invitation.action", "Look at the figures", "查看数据"),
    (
        "mail.review_moved.subject",
        "Moved to {meeting}: quarterly review {quarter}, {title}",
        "改期至{meeting}：季度复盘{quarter}，{title}",
    ),
    (
        "mail.review_moved.lead",
        "The quarterly review {quarter} of “{title}” now takes place on {meeting}.",
        "“{title}”的{quarter}季度复盘改为{meeting}举行。",
    ),
    (
        "mail.review_moved.body",
        "The invitation in your calendar is changed by this mail. The figures up to now:",
        "本邮件会更新您日历中的邀请。截至目前的数据：",
    ),
    ("mail.review_moved.action", "Look at the figures", "查看数据"),
    (
        "mail.review_cancelled.subject",
        "Cancelled: quarterly review {quarter} on {meeting}, {title}",
        "已取消：{meeting}季度复盘{quarter}，{title}",
    ),
    (
        "mail.review_cancelled.lead",
        "The quarterly review {quarter} of “{title}” on {meeting} does not take place, because {why}.",
        "“{title}”原定{meeting}的{quarter}季度复盘取消，原因：{why}。",
    ),
    (
        "mail.review_cancelled.body",
        "Nothing is to be done; this mail takes the invitation out of your calendar.",
        "无需任何操作；本邮件会从您的日历中移除该邀请。",
    ),
    ("mail.review_cancelled.action", "Look at the procurement", "查看采购"),
    (
        "mail.review_pack.subject",
        "Hold the review {quarter} {by}: {title}",
        "请{by}召开{quarter}复盘：{title}",
    ),
    (
        "mail.review_pack.lead",
        "The quarter {quarter} of “{title}” ended on {date}. Please hold its review {by} and record what it decides.",
        "“{title}”的{quarter}已于{date}结束，请{by}召开复盘并记录决定。",
    ),
    (
        "mail.review_pack.body",
        "The figures of the quarter, as far as they are recorded:",
        "本季度已记录的数据：",
    ),
    ("mail.review_pack.action", "Look at the figures and record the review", "查看数据并记录复盘"),
    (
        "mail.review_chaser.subject",
        "Review {quarter} is late, please hold it {by}: {title}",
        "{quarter}复盘已逾期，请{by}召开：{title}",
    ),
    (
        "mail.review_chaser.lead",
        "The quarter {quarter} of “{title}” ended on {date} and no review of it is recorded. Please hold it {by}.",
        "“{title}”的{quarter}已于{date}结束，尚无复盘记录，请{by}召开。",
    ),
    (
        "mail.review_chaser.body",
        "Record the owner and the date of each decision. The figures of the quarter:",
        "请记录每项决定的负责人和日期。本季度数据：",
    ),
    ("mail.review_chaser.action", "Record the review", "记录复盘"),
    (
        "mail.sla_incident.subject",
        "{severity} at {supplier}, record the response {by}: {title}",
        "{supplier}发生{severity}，请{by}记录响应：{title}",
    ),
    (
        "mail.sla_incident.lead",
        "{supplier} has had a fault ({severity}) in “{title}” since {started}. Please record {by} when the supplier responded, and the end once it is over.",
        "“{title}”中{supplier}自{started}起发生故障（{severity}），请{by}记录供应商响应时间，并在恢复后记录结束时间。",
    ),
    (
        "mail.sla_incident.body",
        "Keep the logs; they are the evidence for a claim.",
        "请保留日志，作为索赔依据。",
    ),
    ("mail.sla_incident.action", "Record response and end", "记录响应与恢复"),
    (
        "mail.sla_breach.subject",
        "Prepare the claim {by}: {supplier} misses its SLA in {month}, {title}",
        "请{by}准备索赔：{supplier}{month}未达SLA，{title}",
    ),
    (
        "mail.sla_breach.lead",
        "{supplier} can no longer reach the availability of {promised} that it promised “{title}” for {month}. Please prepare the claim {by}.",
        "{supplier}对“{title}”承诺的可用性{promised}在{month}已无法达到，请{by}准备索赔。",
    ),
    (
        "mail.sla_breach.body",
        "Credits are not granted unless they are claimed in time, with the logs of the interruptions.",
        "补偿须按时提出并附中断日志，否则不予发放。",
    ),
    ("mail.sla_breach.action", "Look at the interruptions", "查看中断记录"),
    (
        "mail.sla_claim.subject",
        "Send the claim {by}: {supplier}, {month}, {title}",
        "请{by}提出索赔：{supplier}，{month}，{title}",
    ),
    (
        "mail.sla_claim.lead",
        "{supplier} missed the availability of {promised} for “{title}” in {month}. Please send the claim {by}; after {date} the credits are forfeited.",
        "{supplier}在{month}未达到对“{title}”承诺的可用性{promised}，请{by}提出索赔，{date}之后补偿作废。",
    ),
    (
        "mail.sla_claim.body",
        "Send it with the logs of the interruptions listed here.",
        "请附上下列中断的日志。",
    ),
    ("mail.sla_claim.action", "Look at the interruptions", "查看中断记录"),
    (
        "mail.sla_statement.subject",
        "Check the SLA statement {month} {by}: {title}",
        "请{by}核对{month}SLA月报：{title}",
    ),
    (
        "mail.sla_statement.lead",
        "The availability of all suppliers of “{title}” in {month} is complete. Please check it {by}; later than that nothing can be claimed.",
        "“{title}”各供应商{month}的可用性数据已齐，请{by}核对，逾期不能再索赔。",
    ),
    (
        "mail.sla_statement.body",
        "The bars show how much of the permitted downtime each supplier has used.",
        "条形表示各供应商已用的允许中断时间。",
    ),
    ("mail.sla_statement.action", "Look at the statement", "查看月报"),
    (
        "mail.supplier_split.subject",
        "Move work or decide a new split {by}: {month}, {title}",
        "请{by}调整负载或重定份额：{month}，{title}",
    ),
    (
        "mail.supplier_split.lead",
        "In {month} the split between the suppliers of “{title}” left its band. Please move work or decide a new split {by}.",
        "“{title}”{month}的供应商份额超出范围，请{by}调整负载或重新决定份额。",
    ),
    (
        "mail.supplier_split.body",
        "Shares are those of the used card-hours. A backup that is hardly used is none when it is needed.",
        "份额按已用卡时计算。长期闲置的备份，到用时往往顶不上。",
    ),
    ("mail.supplier_split.action", "Look at the split", "查看份额"),
    (
        "mail.too_few_suppliers.subject",
        "Qualify another supplier {by}, {kept} left: {title}",
        "请{by}引入合格供应商，仅剩{kept}家：{title}",
    ),
    (
        "mail.too_few_suppliers.lead",
        "“{title}” has {kept} qualified suppliers under contract, at least {least} are wanted. Please renew a qualification or qualify another supplier {by}.",
        "“{title}”目前合同有效且资质合格的供应商为{kept}家，要求至少{least}家，请{by}更新资质或引入新的供应商。",
    ),
    (
        "mail.too_few_suppliers.body",
        "Until then a fault of one supplier has nobody to fail over to.",
        "在此之前，一家故障即无处切换。",
    ),
    ("mail.too_few_suppliers.action", "Look at the suppliers", "查看供应商"),
    (
        "mail.weekly_reconciliation.subject",
        "Reconcile last week {by}: {title}",
        "请{by}完成上周对账：{title}",
    ),
    (
        "mail.weekly_reconciliation.lead",
        "Please compare last week's used hours of “{title}” with the bill, line by line, {by}.",
        "请{by}逐条核对“{title}”上周的实际使用时长与账单。",
    ),
    (
        "mail.weekly_reconciliation.body",
        "Waste is card-hours × unit price × idle ratio. If it stays high, look at scheduling and queueing before changing cards.",
        "浪费＝卡时×单价×空转率。持续偏高时，先查调度和排队，再谈换卡。",
    ),
    ("mail.weekly_reconciliation.action", "Look at usage and bills", "查看用量与账单"),
    (
        "mail.budget_burn.subject",
        "{percent} % of the budget is spent, decide {by}: {title}",
        "预算已用{percent}%，请{by}决定：{title}",
    ),
    (
        "mail.budget_burn.lead",
        "The bills of “{title}” have reached {percent} % of the budget: {spent} of {budget}. Please decide {by} whether to cut the use or to ask for more.",
        "“{title}”的账单已达预算的{percent}%：{budget}中已用{spent}。请{by}决定压缩用量或申请追加。",
    ),
    (
        "mail.budget_burn.body",
        "Compare the part that is spent with the part of the term that is billed.",
        "请对比已用预算的比例与已计费租期的比例。",
    ),
    ("mail.budget_burn.action", "Look at the budget", "查看预算"),
    (
        "mail.budget_forecast.subject",
        "Cut the use or ask for more {by}, the budget will not last: {title}",
        "预算预计超支，请{by}压缩用量或申请追加：{title}",
    ),
    (
        "mail.budget_forecast.lead",
        "Carried on as billed up to {date}, “{title}” will cost {forecast}; the budget is {budget}. Please cut the use or ask for more {by}.",
        "按截至{date}的账单推算，“{title}”将花费{forecast}，预算为{budget}。请{by}压缩用量或申请追加。",
    ),
    (
        "mail.budget_forecast.body",
        "The forecast carries the bills on at their average rate to the end of the term.",
        "预测按账单的平均速度推算至租期结束。",
    ),
    ("mail.budget_forecast.action", "Look at the budget", "查看预算"),
    (
        "mail.rent_to_own.subject",
        "Compare buying with renting {by}: {title}",
        "请{by}比较自购与租用：{title}",
    ),
    (
        "mail.rent_to_own.lead",
        "Owning may pay for “{title}”: please compare buying with renting {by}.",
        "“{title}”可考虑自购，请{by}比较自购与租用。",
    ),
    (
        "mail.rent_to_own.body",
        "A card has been in use {hours} hours a day (above {least}), an operations team is there, and {months} months of use come near; hardware takes up to {lead} months to arrive.",
        "单卡日均使用{hours}小时（超过{least}小时），已有运维团队，使用期接近{months}个月；硬件到货最长需{lead}个月。",
    ),
    ("mail.rent_to_own.action", "Look at use and cost", "查看用量与费用"),
];
