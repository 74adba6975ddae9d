//! Who may do what: a table of every mutation, asked of every function over the API.
//!
//! Every probe is a command that could be carried out, but expects a revision that nothing has, so
//! whoever may send it hears `revision_changed` and whoever may not hears `forbidden`: nothing is
//! changed by asking. A mutation that the table does not know fails the test.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::sdl;
use crate::story;
use crate::world::{FUNCTIONS, World};

/// Mutations and the functions that may send them; the requester is a member of the procurement.
const TABLE: &str = "
openProcurement       requester procurement
addMember             requester procurement manager
removeMember          requester procurement manager
signOff               requester procurement finance legal operations manager
waiveCriterion        manager
advance               requester procurement manager
sendBack              requester procurement finance legal operations manager
hold                  requester procurement manager
resume                requester procurement manager
cancel                requester procurement manager
close                 requester procurement manager
adoptPolicy           manager
eraseProcurementContact admin
recordBrief           requester procurement operations
recordSizing          requester procurement operations
sizeModel             requester procurement operations
recordTrial           requester procurement operations
planBudget            procurement finance
recordCost            procurement finance
compareOwning         procurement finance
addCandidate          procurement
dropCandidate         procurement
reviewQualifications  procurement
recordQuote           procurement
scoreCandidate        requester procurement operations
chooseFinalist        requester procurement operations
recordEvidence        requester procurement operations
recordExplanation     requester procurement operations
recordBaseline        requester procurement operations
recordTerms           procurement legal
reviewTerms           legal
decideAward           procurement legal
recordContract        procurement legal
planScaling           requester procurement operations
recordUsage           procurement finance operations
recordBill            procurement finance operations
recordAvailability    procurement finance operations
reportIncident        procurement finance operations
resolveIncident       procurement finance operations
planReviews           procurement finance operations
scheduleReview        procurement finance operations
recordReview          procurement finance operations
decideOutcome         procurement operations
registerSupplier      procurement
recordCertificate     procurement
recordBillingProfile  procurement
withdrawSupplier      procurement
eraseSupplierContact  admin
registerPerson        admin
grantFunction         admin
revokeFunction        admin
setPreferences        admin
setDelivery           admin
nameSubstitute        admin
issueToken            admin
revokeToken           admin
deactivatePerson      admin
erasePerson           admin
publishPolicy         admin
importPrices          procurement finance
withdrawPrice         procurement finance
requeueLetter         admin
";

/// What everybody may do with their own record.
const OWN_BUSINESS: [&str; 4] = ["setPreferences", "setDelivery", "nameSubstitute", "revokeToken"];

fn table() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    let rows = TABLE.trim().lines().map(|line| {
        let mut words = line.split_whitespace();
        (words.next().unwrap(), words.collect())
    });
    rows.collect()
}

/// For each mutation an input that could be carried out but for the revision it expects.
pub(crate) async fn inputs(world: &World, procurement: &str) -> BTreeMap<&'static str, Value> {
    let supplier = world.register_supplier("Starsea").await;
    // Only who has uploaded a file may have it read, so everybody does who may upload at all.
    let uploaders =
        ["outsider", "requester", "procurement", "finance", "legal", "operations", "manager"];
    let mut files = BTreeMap::new();
    for path in [
        "poc/starsea/nvidia-smi.csv",
        "operation/usage.starsea.week12.json",
        "operation/bill.starsea.csv",
    ] {
        for who in uploaders {
            let token = world.token(who);
            files.insert(path, world.api.upload(token, path, &story::file(path)).await);
        }
    }
    for who in uploaders {
        let (token, prices) = (world.token(who), crate::prices::FILE.as_bytes());
        files.insert("prices.csv", world.api.upload(token, "prices.csv", prices).await);
    }
    let policies = world.ask("admin", "{ policies { document } }").await;
    let mut document = policies["policies"][0]["document"].clone();
    document["version"] = json!(2);
    let person = &world.person("outsider").id;
    let mut inputs = BTreeMap::new();
    for mutation in sdl::fields("Mutation") {
        let mut input = arguments(mutation, person, &files, &document);
        let about = sdl::mutation(mutation).input;
        if takes(&about, "procurementId") {
            input["procurementId"] = json!(procurement);
        }
        if takes(&about, "supplierId") {
            input["supplierId"] = json!(supplier);
        }
        if takes(&about, "personId") {
            input["personId"] = json!(person);
        }
        input["expectedRevision"] = json!(999_999);
        inputs.insert(mutation, input);
    }
    inputs
}

fn takes(input: &str, field: &str) -> bool {
    let start = format!("input {input} {{");
    let body = sdl::COMMITTED.lines().skip_while(|line| *line != start);
    let wanted = format!("\t{field}: ");
    body.take_while(|line| *line != "}").any(|line| line.starts_with(&wanted))
}

/// What a mutation takes besides whom or what it is about.
fn arguments(
    mutation: &str,
    person: &str,
    files: &BTreeMap<&str, Value>,
    document: &Value,
) -> Value {
    let reason = || json!({ "reason": "as agreed" });
    match mutation {
        "openProcurement" => json!({ "title": "Another" }),
        "addMember"
        | "removeMember"
        | "advance"
        | "resume"
        | "close"
        | "adoptPolicy"
        | "addCandidate"
        | "reviewQualifications"
        | "recordBaseline"
        | "reviewTerms"
        | "eraseProcurementContact"
        | "eraseSupplierContact"
        | "erasePerson"
        | "deactivatePerson" => json!({}),
        "hold" | "cancel" | "dropCandidate" | "withdrawSupplier" => reason(),
        "signOff" => json!({ "function": "FINANCE", "version": 1 }),
        "waiveCriterion" => {
            json!({ "criterion": "needs.use_known", "reason": "urgent", "expiresOn": "2026-03-10" })
        }
        "sendBack" => json!({ "to": "NEEDS", "reason": "the need has changed" }),
        "recordBrief" => json!({ "brief": story::brief("He Jia") }),
        "recordSizing" => story::sizing(""),
        "sizeModel" => json!({ "card": "RTX 4090" }),
        "recordTrial" => json!({ "card": "RTX 4090", "cards": 1, "latencyMs": "830" }),
        "planBudget" => json!({ "termMonths": 12, "reservePercent": "18", "currency": "CNY" }),
        "recordCost" => json!({ "kind": "MIGRATION", "zeroBecause": "nothing to move" }),
        "compareOwning" => story::chosen("RENT"),
        "recordQuote" => json!({ "quote": {
            "currency": "CNY", "validUntil": "2026-03-31", "taxIncluded": true, "taxPercent": "6",
            "lines": [], "answers": [],
        }}),
        "scoreCandidate" => json!({ "marks": [{ "criterion": "SLA", "mark": "80" }] }),
        "chooseFinalist" => json!({ "trialEndsOn": "2026-02-20", "promise": {
            "card": "H100", "cards": 8, "memoryMibMin": "81000", "collectiveGbSMin": "450",
            "firstTokenP99MsMax": "1000", "successPercentMin": "99.5", "memoryGrowthMibMax": "1024",
        }}),
        "recordEvidence" => json!({ "file": files["poc/starsea/nvidia-smi.csv"] }),
        "recordExplanation" => json!({ "explanation": "a fan was broken" }),
        "recordTerms" => json!({
            "form": "SIGNED", "termMonths": 12, "currency": "CNY", "listPricePerMonth": "12322.50",
            "pricePerMonth": "9858", "availabilityPercent": "99.9", "responseMinutes": 15,
            "clauses": [],
        }),
        "decideAward" => json!({ "awards": [], "reason": "none was good enough" }),
        "recordContract" => json!({
            "signedOn": "2026-02-26", "startsOn": "2026-03-01", "endsOn": "2027-02-28", "cards": 8,
            "valuePerMonth": { "amount": "78864", "currency": "CNY" },
            "document": files["poc/starsea/nvidia-smi.csv"],
        }),
        "planScaling" => {
            json!({ "baseCards": 8, "burstCards": 4, "trigger": "queue", "leadDays": 3 })
        }
        other => running_arguments(other, person, files, document),
    }
}

/// Of what runs, and of everything around it.
fn running_arguments(
    mutation: &str,
    person: &str,
    files: &BTreeMap<&str, Value>,
    document: &Value,
) -> Value {
    let at = "2026-03-10T02:21:00Z";
    match mutation {
        "recordUsage" => json!({ "file": files["operation/usage.starsea.week12.json"] }),
        "recordBill" => json!({ "file": files["operation/bill.starsea.csv"] }),
        "recordAvailability" => json!({ "until": at, "downMinutes": 0 }),
        "reportIncident" => json!({ "severity": "P0", "startedAt": at, "what": "no network" }),
        "resolveIncident" => json!({
            "incidentId": "0dd0dd0d-0000-4000-8000-000000000000", "respondedAt": at, "endedAt": at,
        }),
        "planReviews" => json!({ "first": "2026-Q1", "optimisation": "idle time first" }),
        "scheduleReview" => json!({
            "quarter": "2026-Q1", "startsAt": "2026-03-30T06:00:00Z", "place": "Room 3",
        }),
        "recordReview" => json!({
            "quarter": "2026-Q1", "heldOn": "2026-04-02", "findings": "all is well", "actions": [],
        }),
        "decideOutcome" => json!({ "outcome": "RENEWED", "reason": "all is well" }),
        "importPrices" => json!({ "file": files["prices.csv"] }),
        other => registry_arguments(other, person, document),
    }
}

fn registry_arguments(mutation: &str, person: &str, document: &Value) -> Value {
    match mutation {
        "registerSupplier" => json!({ "name": "Yunfeng", "contact": "Liu Chang" }),
        "recordCertificate" => {
            json!({ "qualification": "MLPS", "number": "1", "expiresOn": "2027-06-30" })
        }
        "recordBillingProfile" => json!({
            "metering": "PER_SECOND", "priceLocked": true, "whileStopped": "storage",
            "whenDestroyed": "all data", "overtime": "on demand",
        }),
        "registerPerson" => json!({
            "name": "New", "mail": "new@example.com", "locale": "EN", "zone": "Asia/Shanghai",
            "functions": [],
        }),
        "grantFunction" | "revokeFunction" => json!({ "function": "LEGAL" }),
        "setPreferences" => json!({ "locale": "EN", "zone": "Asia/Shanghai" }),
        "setDelivery" => json!({ "frequency": "DAILY" }),
        "requeueLetter" => json!({ "messageId": "none@example.com" }),
        "nameSubstitute" => {
            json!({ "substituteId": person, "from": "2026-03-01", "until": "2026-03-10" })
        }
        "issueToken" => json!({ "label": "second" }),
        "revokeToken" => json!({ "tokenId": "0dd0dd0d-0000-4000-8000-000000000000" }),
        "publishPolicy" => json!({ "document": document, "reason": "yearly review" }),
        "withdrawPrice" => json!({ "key": "none", "reason": "a typing error" }),
        other => panic!("nobody has said who may send `{other}`: add it to this table"),
    }
}

#[tokio::test]
async fn every_mutation_is_for_those_whom_the_table_names() {
    let table = table();
    let known: BTreeSet<&str> = table.keys().copied().collect();
    let present: BTreeSet<&str> = sdl::fields("Mutation").into_iter().collect();
    assert_eq!(known, present, "the table must know exactly the mutations of the schema");

    let world = World::open().await;
    let procurement = world.open_procurement("requester", "Probed").await;
    let inputs = inputs(&world, &procurement).await;
    let before = world.ask("admin", "{ health { position } }").await;
    let mut wrong = Vec::new();
    for (mutation, allowed) in &table {
        for function in FUNCTIONS {
            let payload = world.send(function, mutation, inputs[mutation].clone()).await;
            let expected =
                if allowed.contains(function) { "revision_changed" } else { "forbidden" };
            let found = payload["userErrors"][0]["code"].as_str().unwrap_or("carried out");
            if found != expected {
                wrong.push(format!("{mutation} by {function}: {found} instead of {expected}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let after = world.ask("admin", "{ health { position } }").await;
    assert_eq!(before, after, "asking changed something");
}

#[tokio::test]
async fn everybody_may_keep_their_own_record_and_no_more_of_it() {
    let world = World::open().await;
    let procurement = world.open_procurement("requester", "Probed").await;
    let inputs = inputs(&world, &procurement).await;
    for function in FUNCTIONS {
        for mutation in sdl::fields("Mutation") {
            let mut input = inputs[mutation].clone();
            if input.get("personId").is_none() || input.get("procurementId").is_some() {
                continue;
            }
            input["personId"] = json!(world.person(function).id);
            let payload = world.send(function, mutation, input).await;
            let may = OWN_BUSINESS.contains(&mutation) || function == "admin";
            let expected = if may { "revision_changed" } else { "forbidden" };
            assert_eq!(payload["userErrors"][0]["code"], expected, "{mutation} by {function}");
        }
    }
}

#[tokio::test]
async fn somebody_without_any_function_may_do_nothing() {
    let world = World::open().await;
    let procurement = world.open_procurement("requester", "Probed").await;
    let nobody = world.register("nobody", "Zhao Min", &[], "EN").await;
    for (mutation, mut input) in inputs(&world, &procurement).await {
        input["commandId"] = json!(world.fresh());
        let payload = world.api.send(&nobody.token, mutation, input).await;
        let code = payload["userErrors"][0]["code"].as_str().unwrap_or("carried out");
        assert!(matches!(code, "forbidden" | "not_found"), "{mutation}: {code}");
    }
}
