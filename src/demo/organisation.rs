//! The sample organisation: its people with their tokens, and its supplier registry.

use chrono::Duration;
use serde_json::json;
use sixgate_engine::{Envelope, ids};
use sixgate_workflows::{
    context::Actor,
    function::Function::{
        self, Admin, Auditor, Finance, Legal, Manager, Operations, Procurement, Requester,
    },
    ids::{CommandId, PersonId, TokenId},
    locale::Locale,
    person::{Command, MailAddress},
    text::Name,
};

use super::stage::Theatre;

pub(super) struct Person {
    pub(super) id: PersonId,
    pub(super) name: String,
    pub(super) functions: Vec<Function>,
    pub(super) token: String,
}

pub(super) struct Organisation {
    pub(super) requester: Person,
    pub(super) second_requester: Person,
    pub(super) buyer: Person,
    pub(super) finance: Person,
    pub(super) legal: Person,
    pub(super) operations: Person,
    pub(super) manager: Person,
    pub(super) auditor: Person,
    pub(super) admin: Person,
    pub(super) starsea: String,
    pub(super) yunfeng: String,
    pub(super) beichen: String,
}

impl Person {
    /// The id that the API gives them.
    pub(super) fn global_id(&self) -> String {
        format!("person_{}", self.id)
    }
}

impl Organisation {
    pub(super) fn people(&self) -> [&Person; 9] {
        [
            &self.requester,
            &self.second_requester,
            &self.buyer,
            &self.finance,
            &self.legal,
            &self.operations,
            &self.manager,
            &self.auditor,
            &self.admin,
        ]
    }
}

pub(super) async fn found(theatre: &Theatre) -> anyhow::Result<Organisation> {
    let requester = hire(theatre, "林晓", "lin.xiao", Locale::ZhCn, &[Requester]).await?;
    let second_requester = hire(theatre, "周航", "zhou.hang", Locale::ZhCn, &[Requester]).await?;
    let buyer = hire(theatre, "陈启", "chen.qi", Locale::ZhCn, &[Procurement]).await?;
    let finance = hire(theatre, "吴悦", "wu.yue", Locale::ZhCn, &[Finance]).await?;
    let legal = hire(theatre, "郑明", "zheng.ming", Locale::ZhCn, &[Legal]).await?;
    let operations = hire(theatre, "Sun Wei", "sun.wei", Locale::En, &[Operations]).await?;
    let manager = hire(theatre, "He Jia", "he.jia", Locale::En, &[Manager]).await?;
    let auditor = hire(theatre, "Qian Lin", "qian.lin", Locale::En, &[Auditor]).await?;
    let admin = hire(theatre, "冯洁", "feng.jie", Locale::ZhCn, &[Admin]).await?;
    let starsea = register(theatre, &buyer, "星海算力", "客户经理 王珂", "2027-06-30").await?;
    let yunfeng = register(theatre, &buyer, "云峰智算", "客户经理 刘畅", "2027-03-31").await?;
    let beichen = register(theatre, &buyer, "北辰云", "大客户部 赵雷", "2026-12-31").await?;
    Ok(Organisation {
        requester,
        second_requester,
        buyer,
        finance,
        legal,
        operations,
        manager,
        auditor,
        admin,
        starsea,
        yunfeng,
        beichen,
    })
}

/// As `sixgate person add` and `sixgate token issue` do it.
async fn hire(
    theatre: &Theatre,
    name: &str,
    mail: &str,
    locale: Locale,
    functions: &[Function],
) -> anyhow::Result<Person> {
    let engine = &theatre.engine;
    let id = PersonId(ids::fresh());
    let envelope = || Envelope { command: CommandId(ids::fresh()), expected: None };
    let register = Command::Register {
        name: Name::new(name)?,
        mail: MailAddress::new(&format!("{mail}@example.com"))?,
        locale,
        zone: engine.zone(),
        functions: functions.iter().copied().collect(),
    };
    engine.employ(&Actor::system(), envelope(), id, register).await?;
    let token = ids::fresh_token();
    let issue = Command::IssueToken {
        token: TokenId(ids::fresh()),
        hash: ids::content_hash(token.as_bytes()),
        label: Name::new("demo")?,
        expires_at: engine.moment().now + Duration::days(365),
    };
    engine.employ(&Actor::system(), envelope(), id, issue).await?;
    Ok(Person { id, name: name.to_owned(), functions: functions.to_vec(), token })
}

async fn register(
    theatre: &Theatre,
    buyer: &Person,
    name: &str,
    contact: &str,
    expires_on: &str,
) -> anyhow::Result<String> {
    let command = ids::fresh();
    let id = format!("supplier_{command}");
    let input = json!({ "commandId": command, "name": name, "contact": contact });
    theatre.command(buyer, "registerSupplier", input).await?;
    let certificates = [("ICP_FILING", "ICP备"), ("TELECOM_LICENCE", "B1"), ("MLPS", "等保三级")];
    for (qualification, number) in certificates {
        let input = json!({
            "supplierId": id,
            "qualification": qualification,
            "number": format!("{number}-样例-{}", &name[..3]),
            "expiresOn": expires_on,
        });
        theatre.command(buyer, "recordCertificate", input).await?;
    }
    let input = json!({
        "supplierId": id,
        "metering": "PER_SECOND",
        "priceLocked": true,
        "whileStopped": "停机后仍收取存储费",
        "whenDestroyed": "销毁后停止计费，盘上数据清空",
        "overtime": "超出预留部分按需计费，断连期间不计费",
    });
    theatre.command(buyer, "recordBillingProfile", input).await?;
    Ok(id)
}
