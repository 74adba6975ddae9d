//! The full case: an inference service from a Chinese brief to a renewed contract with two
//! suppliers, every stage on evidence.

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{
    organisation::{Organisation, Person},
    stage::{Theatre, local},
};

/// One procurement and the people who work on it.
struct Case<'a> {
    theatre: &'a Theatre,
    people: &'a Organisation,
    id: &'a str,
}

pub(super) async fn play(
    theatre: &Theatre,
    people: &Organisation,
    slow_one: &str,
) -> anyhow::Result<()> {
    theatre.at("2026-01-06 10:00").await?;
    let id = theatre.open_procurement(&people.requester, "70B 在线推理服务").await?;
    let case = Case { theatre, people, id: &id };
    case.needs().await.context("needs")?;
    case.budget().await.context("budget")?;
    case.shortlist().await.context("shortlist")?;
    case.poc().await.context("poc")?;
    case.negotiation().await.context("negotiation")?;
    // The other procurement has been overdue since January; now it waits for money.
    let hold = json!({ "procurementId": slow_one, "reason": "等待年度预算追加" });
    theatre.command(&people.manager, "hold", hold).await?;
    case.operation().await.context("operation")?;
    case.end().await.context("end")
}

impl Case<'_> {
    async fn command(
        &self,
        person: &Person,
        mutation: &str,
        mut input: Value,
    ) -> anyhow::Result<()> {
        input["procurementId"] = json!(self.id);
        self.theatre.command(person, mutation, input).await
    }

    async fn file(&self, person: &Person, path: &str) -> anyhow::Result<Value> {
        self.theatre.upload(person, path).await
    }

    async fn sign(&self, person: &Person, function: &str) -> anyhow::Result<()> {
        self.theatre.sign(person, self.id, function).await
    }

    async fn sizing(&self, overhead_gib: &str) -> anyhow::Result<()> {
        let input = json!({
            "card": "H100 80GB", "cards": 8, "vramPerCardGib": "80", "usablePercent": "90",
            "kvKibPerToken": { "known": "320" },
            "optimizerGib": { "known": "0" },
            "overheadGib": { "low": "24", "high": overhead_gib },
        });
        self.command(&self.people.second_requester, "recordSizing", input).await
    }

    async fn needs(&self) -> anyhow::Result<()> {
        let people = self.people;
        let second = json!({ "personId": people.second_requester.global_id() });
        self.command(&people.requester, "addMember", second).await?;
        let file = self.file(&people.requester, "brief.zh.txt").await?;
        self.command(&people.requester, "recordBrief", json!({ "file": file })).await?;
        let advance = json!({ "procurementId": self.id });
        self.theatre.rejected(&people.buyer, "advance", advance, "gate_closed").await?;
        self.sizing("40").await?;
        self.theatre.at("2026-01-08 09:30").await?;
        self.sign(&people.buyer, "PROCUREMENT").await?;
        // A change after the signature voids it, and the buyer signs what it has become.
        self.sizing("48").await?;
        self.theatre.at("2026-01-09 09:30").await?;
        self.sign(&people.buyer, "PROCUREMENT").await?;
        self.sign(&people.requester, "REQUESTER").await?;
        self.theatre.advance(&people.buyer, self.id).await
    }

    async fn budget(&self) -> anyhow::Result<()> {
        self.theatre.at("2026-01-13 10:00").await?;
        let people = self.people;
        let plan = json!({
            "termMonths": 12, "reservePercent": "18", "currency": "CNY",
            "discountRatePercent": "8",
            "rates": [{ "from": "USD", "rate": "7.05", "on": "2026-01-12", "source": "财务部月度记账汇率" }],
        });
        self.command(&people.finance, "planBudget", plan).await?;
        for (kind, lines) in cost_lines() {
            let who = if kind == "RENTAL" { &people.buyer } else { &people.finance };
            self.command(who, "recordCost", json!({ "kind": kind, "lines": lines })).await?;
        }
        let zero = json!({ "kind": "MIGRATION", "zeroBecause": "新业务，没有需要迁移的数据" });
        self.command(&people.finance, "recordCost", zero).await?;
        let compared = json!({
            "question": owning(), "chosen": "RENT", "reason": "需求只定一年，先租后议",
        });
        self.command(&people.finance, "compareOwning", compared).await?;
        self.theatre.settle().await?;
        self.sign(&people.finance, "FINANCE").await?;
        self.sign(&people.manager, "MANAGER").await?;
        self.theatre.advance(&people.buyer, self.id).await
    }

    async fn shortlist(&self) -> anyhow::Result<()> {
        self.theatre.at("2026-01-20 10:00").await?;
        let people = self.people;
        let candidates = [
            (&people.starsea, "quote.starsea.csv", [90, 88, 85, 86, 80, 78]),
            (&people.yunfeng, "quote.yunfeng.csv", [86, 85, 84, 85, 88, 70]),
            (&people.beichen, "quote.beichen.csv", [84, 80, 75, 78, 70, 72]),
        ];
        for (supplier, quote, marks) in candidates {
            let candidate = json!({ "supplierId": supplier });
            self.command(&people.buyer, "addCandidate", candidate.clone()).await?;
            self.command(&people.buyer, "reviewQualifications", candidate).await?;
            let file = self.file(&people.buyer, quote).await?;
            let input = json!({ "supplierId": supplier, "file": file });
            self.command(&people.buyer, "recordQuote", input).await?;
            for (person, by) in [(&people.requester, 0), (&people.operations, 3)] {
                let input = json!({ "supplierId": supplier, "marks": scores(marks, by) });
                self.command(person, "scoreCandidate", input).await?;
            }
        }
        self.theatre.settle().await?;
        self.sign(&people.buyer, "PROCUREMENT").await?;
        self.sign(&people.second_requester, "REQUESTER").await?;
        self.theatre.advance(&people.buyer, self.id).await
    }

    async fn poc(&self) -> anyhow::Result<()> {
        self.theatre.at("2026-02-02 10:00").await?;
        let people = self.people;
        let finalists = [
            (&people.starsea, "starsea"),
            (&people.yunfeng, "yunfeng"),
            (&people.beichen, "beichen"),
        ];
        for (supplier, folder) in finalists {
            let input = json!({
                "supplierId": supplier,
                "trialEndsOn": "2026-02-20",
                "promise": {
                    "card": "H100", "cards": 8, "memoryMibMin": "81000",
                    "collectiveGbSMin": "450", "firstTokenP99MsMax": "1000",
                    "successPercentMin": "99.5", "memoryGrowthMibMax": "1024",
                },
            });
            self.command(&people.buyer, "chooseFinalist", input).await?;
            for tool in ["nvidia-smi.csv", "all_reduce_perf.txt", "vllm-serve.json"] {
                self.evidence(supplier, folder, tool).await?;
            }
        }
        self.theatre.at("2026-02-12 10:00").await?;
        for supplier in [&people.starsea, &people.yunfeng] {
            let input = json!({ "supplierId": supplier });
            self.command(&people.requester, "recordBaseline", input).await?;
        }
        self.theatre.settle().await?;
        self.sign(&people.requester, "REQUESTER").await?;
        self.sign(&people.operations, "OPERATIONS").await?;
        self.theatre.advance(&people.buyer, self.id).await
    }

    /// The third finalist throttles. What has not been tested yet may still be, but nothing is
    /// tested again until the supplier has explained.
    async fn evidence(&self, supplier: &str, folder: &str, tool: &str) -> anyhow::Result<()> {
        let people = self.people;
        let file = self.file(&people.operations, &format!("poc/{folder}/{tool}")).await?;
        let input = json!({ "supplierId": supplier, "file": file });
        self.command(&people.operations, "recordEvidence", input.clone()).await?;
        if folder == "beichen" && tool == "nvidia-smi.csv" {
            let mut again = input;
            again["procurementId"] = json!(self.id);
            let code = "explanation_missing";
            self.theatre.rejected(&people.operations, "recordEvidence", again, code).await?;
            let text = "机房空调故障导致 5 号卡过热降频，已安排更换风道";
            let explained = json!({ "supplierId": supplier, "explanation": text });
            self.command(&people.buyer, "recordExplanation", explained).await?;
        }
        Ok(())
    }

    async fn negotiation(&self) -> anyhow::Result<()> {
        self.theatre.at("2026-02-24 10:00").await?;
        let people = self.people;
        let offers = [
            (&people.starsea, 12, "12322.50", "9858.00"),
            (&people.yunfeng, 6, "12071.28", "10059.40"),
        ];
        for (supplier, term_months, list, price) in offers {
            let input = json!({
                "supplierId": supplier, "form": "SIGNED", "termMonths": term_months,
                "currency": "CNY", "listPricePerMonth": list, "pricePerMonth": price,
                "availabilityPercent": "99.9", "responseMinutes": 15, "clauses": clauses(),
            });
            self.command(&people.buyer, "recordTerms", input).await?;
            let review = json!({ "supplierId": supplier });
            self.command(&people.legal, "reviewTerms", review).await?;
        }
        let awards = json!({
            "awards": [
                { "supplierId": people.starsea, "role": "PRIMARY", "sharePercent": "65" },
                { "supplierId": people.yunfeng, "role": "BACKUP", "sharePercent": "35" },
            ],
            "reason": "主供包年价优，备供按需弹性",
        });
        self.command(&people.buyer, "decideAward", awards).await?;
        self.theatre.at("2026-02-26 15:00").await?;
        let contracts = [
            (&people.starsea, "contract.starsea.txt", 8, "2027-02-28", "78864.00"),
            (&people.yunfeng, "contract.yunfeng.txt", 2, "2026-08-31", "20118.80"),
        ];
        for (supplier, path, cards, ends_on, value) in contracts {
            let document = self.file(&people.buyer, path).await?;
            let input = json!({
                "supplierId": supplier, "signedOn": "2026-02-26", "startsOn": "2026-03-01",
                "endsOn": ends_on, "cards": cards,
                "valuePerMonth": { "amount": value, "currency": "CNY" }, "document": document,
            });
            self.command(&people.buyer, "recordContract", input).await?;
        }
        let scaling = json!({
            "baseCards": 10, "burstCards": 6, "leadDays": 3,
            "trigger": "排队时间 p95 连续 10 分钟超过 2 秒，备供按需扩容",
        });
        self.command(&people.operations, "planScaling", scaling).await?;
        self.theatre.settle().await?;
        self.sign(&people.legal, "LEGAL").await?;
        self.sign(&people.finance, "FINANCE").await?;
        self.sign(&people.buyer, "PROCUREMENT").await?;
        self.sign(&people.manager, "MANAGER").await?;
        self.theatre.at("2026-02-27 17:00").await?;
        self.theatre.advance(&people.buyer, self.id).await
    }

    async fn operation(&self) -> anyhow::Result<()> {
        let people = self.people;
        self.theatre.at("2026-03-02 09:00").await?;
        let plan = json!({ "first": "2026-Q1", "optimisation": "空转超过 15% 时先查调度和排队" });
        self.command(&people.operations, "planReviews", plan).await?;
        self.theatre.at("2026-03-10 10:30").await?;
        let incident = sixgate_engine::ids::fresh();
        let reported = json!({
            "commandId": incident, "supplierId": people.starsea, "severity": "P0",
            "startedAt": local("2026-03-10 10:21"), "what": "整机网络中断，推理请求全部失败",
        });
        self.command(&people.operations, "reportIncident", reported).await?;
        // The month allows 44.64 minutes at 99.9 %; this takes 52.
        self.theatre.at("2026-03-10 11:20").await?;
        let resolved = json!({
            "incidentId": incident, "respondedAt": local("2026-03-10 10:31"),
            "endedAt": local("2026-03-10 11:13"),
        });
        self.command(&people.operations, "resolveIncident", resolved).await?;
        self.theatre.at("2026-03-17 09:00").await?;
        self.theatre.at("2026-03-24 09:10").await?;
        self.week("week12", "2026-03-24 09:00").await?;
        self.theatre.at("2026-04-01 09:30").await
    }

    /// What the monitoring delivers for one week.
    async fn week(&self, week: &str, probed_until: &str) -> anyhow::Result<()> {
        let people = self.people;
        let suppliers = [(&people.starsea, "starsea"), (&people.yunfeng, "yunfeng")];
        for (supplier, name) in suppliers {
            let path = format!("operation/usage.{name}.{week}.json");
            let file = self.file(&people.operations, &path).await?;
            let usage = json!({ "supplierId": supplier, "file": file });
            self.command(&people.operations, "recordUsage", usage).await?;
            let down_minutes = if name == "starsea" { 52 } else { 0 };
            let probe = json!({
                "supplierId": supplier, "until": local(probed_until), "downMinutes": down_minutes,
            });
            self.command(&people.operations, "recordAvailability", probe).await?;
        }
        Ok(())
    }

    async fn end(&self) -> anyhow::Result<()> {
        let people = self.people;
        self.theatre.at("2026-04-02 10:00").await?;
        for (supplier, name) in [(&people.starsea, "starsea"), (&people.yunfeng, "yunfeng")] {
            let path = format!("operation/bill.{name}.csv");
            let file = self.file(&people.finance, &path).await?;
            let bill = json!({ "supplierId": supplier, "file": file });
            self.command(&people.finance, "recordBill", bill).await?;
        }
        let review = json!({
            "quarter": "2026-Q1", "heldOn": "2026-04-02",
            "findings": "主供份额 86%，超出 60–70%；空转 16%，集中在夜间；3 月可用性低于承诺",
            "actions": [
                { "what": "备供扩到 6 张，把夜间批量任务迁过去",
                  "ownerId": people.operations.global_id(), "dueOn": "2026-04-06" },
                { "what": "按合同第 4 条向星海算力索赔",
                  "ownerId": people.buyer.global_id(), "dueOn": "2026-04-10" },
            ],
        });
        self.command(&people.operations, "recordReview", review).await?;
        self.theatre.at("2026-04-07 09:30").await?;
        self.week("week14", "2026-04-07 09:00").await?;
        self.theatre.at("2026-04-08 10:00").await?;
        let outcome = json!({ "outcome": "RENEWED", "reason": "两家续用，份额已回到范围内" });
        self.command(&people.buyer, "decideOutcome", outcome).await?;
        self.theatre.settle().await?;
        self.sign(&people.manager, "MANAGER").await?;
        self.command(&people.buyer, "close", json!({})).await
    }
}

fn scores(marks: [u32; 6], harsher_by: u32) -> Value {
    let criteria =
        ["HARDWARE", "QUALIFICATIONS", "SLA", "DATA_SECURITY", "PRICE_TRANSPARENCY", "REFERENCES"];
    let marks = criteria.iter().zip(marks).map(|(criterion, mark)| {
        json!({ "criterion": criterion, "mark": (mark - harsher_by).to_string() })
    });
    marks.collect()
}

fn clauses() -> Value {
    let clauses = [
        ("AVAILABILITY", "§4"),
        ("RESPONSE", "§5"),
        ("DATA_OWNERSHIP", "§6"),
        ("DATA_DESTRUCTION", "§7"),
        ("EXIT", "§9"),
        ("DISPUTE_RESOLUTION", "§11"),
        ("PREPAYMENT", "§3"),
        ("TERMINATION", "§9"),
        ("REFUND", "§9"),
        ("RENEWAL", "§10"),
        ("CORPORATE_TRANSFER", "§3"),
        ("INSTALMENTS", "§3"),
        ("SPECIAL_VAT_INVOICE", "§3"),
    ];
    let agreed = clauses.iter().map(|(clause, reference)| {
        json!({ "clause": clause, "agreement": "AGREED", "reference": reference })
    });
    agreed.collect()
}

/// One machine of eight cards, against renting them.
fn owning() -> Value {
    let given = [
        ("NODES", "1"),
        ("CARDS_PER_NODE", "8"),
        ("HOURS_A_DAY", "18"),
        ("HOURS_A_MONTH", "730"),
        ("NEED_MONTHS", "12"),
        ("NODE_PRICE", "2400000"),
        ("LEAD_MONTHS", "4"),
        ("RACK_MONTH", "6500"),
        ("OWN_LABOUR_MONTH", "18000"),
        ("OWN_LOSS_MONTH", "4000"),
        ("RENT_PRICE", "16"),
        ("RENT_EGRESS_MONTH", "5000"),
        ("RENT_STORAGE_MONTH", "3200"),
        ("RENT_LABOUR_MONTH", "18000"),
        ("RENT_MIGRATION", "0"),
        ("RENT_LOSS_MONTH", "6000"),
    ];
    let figure = |(input, known)| json!({ "input": input, "estimate": { "known": known } });
    json!({
        "currency": "CNY", "horizonMonths": 36, "billing": "ALWAYS", "vatRecoverable": true,
        "region": "cn-coast", "operationsTeam": true, "card": "H100 SXM",
        "inputs": given.map(figure),
    })
}

/// As each was stated: by the month, by the hour of a card, in dollars, with and without tax.
fn cost_lines() -> [(&'static str, Value); 5] {
    let special_invoice = json!({ "ratePercent": "6", "included": true, "recoverable": true });
    let monthly = |name: &str, low: &str, high: &str, basis: &str| {
        json!([{
            "name": name, "amount": { "low": low, "high": high }, "currency": "CNY",
            "per": { "period": "MONTH" }, "basis": basis,
        }])
    };
    [
        (
            "RENTAL",
            json!([
                {
                    "name": "主供 8 卡包年", "amount": { "low": "88000", "high": "100000" },
                    "currency": "CNY", "per": { "period": "MONTH" }, "vat": special_invoice,
                    "paid": "IN_ADVANCE", "basis": "三家询价，含税",
                },
                {
                    "name": "备供 2 卡按需", "amount": { "low": "30", "high": "34" },
                    "currency": "CNY", "vat": special_invoice, "basis": "两家标价，含税",
                    "per": { "cardHour": {
                        "cards": { "known": "2" }, "hoursPerMonth": { "low": "200", "high": "260" },
                    } },
                },
            ]),
        ),
        (
            "NETWORK_EGRESS",
            json!([{
                "name": "海外出口流量", "amount": { "low": "600", "high": "850" },
                "currency": "USD", "per": { "period": "MONTH" }, "basis": "按去年账单估算",
            }]),
        ),
        ("STORAGE", monthly("数据盘与备份", "3000", "3500", "2 TB 数据盘与备份")),
        ("OPERATIONS_LABOUR", monthly("运维", "18000", "18000", "半个运维人月")),
        ("FAILURE_LOSS", monthly("业务损失", "3000", "9000", "按每月一次 30 分钟中断估算")),
    ]
}
