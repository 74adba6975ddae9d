//! A reminder that nobody is there to read goes to the administrators, who can change that.
//!
//! The rule: whoever should have heard holds a function; where nobody active does, silence would be
//! the worst answer. What is told is that somebody is lacking, and the reminder's subject. Without
//! administrators it is an error in the program's log and a row in the mail room.

use std::collections::BTreeMap;

use sixgate_workflows::{
    deadline::Deadline, function::Function, locale::Locale, notice::Frozen, person::Person, texts,
};

use crate::{access, engine::Engine, error::Error};

impl Engine {
    pub(crate) fn letters_to_administrators(
        &self,
        deadline: &Deadline,
    ) -> Result<Vec<Frozen>, Error> {
        let administrators: Vec<Person> = access::people(&self.views())
            .filter(|person| person.active && person.functions.contains(&Function::Admin))
            .cloned()
            .collect();
        if administrators.is_empty() {
            tracing::error!(
                notice.key = deadline.key,
                "nobody can be told of a deadline, and there is no administrator either"
            );
        }
        administrators.iter().map(|person| self.lacking(deadline, person)).collect()
    }

    fn lacking(&self, deadline: &Deadline, person: &Person) -> Result<Frozen, Error> {
        let subject = subject(deadline, person.locale);
        let functions: Vec<&str> = deadline.to.iter().map(|function| function.id()).collect();
        let figures: BTreeMap<&str, String> = [
            ("name", person.name.to_string()),
            ("function", functions.join(", ")),
            ("subject", subject),
        ]
        .into();
        let admin: BTreeMap<&str, String> = [("function", Function::Admin.id().to_owned())].into();
        let filled = |text: &str, figures: &BTreeMap<&str, String>| {
            texts::filled(text, person.locale, |name| figures.get(name).map(String::as_str))
        };
        let title = filled("mail.unaddressed.subject", &figures);
        let body = filled("mail.unaddressed.body", &figures);
        let text = [
            filled("mail.greeting", &figures),
            body.clone(),
            figures["subject"].clone(),
            filled("mail.footer", &admin),
        ];
        self.plain_letter(&deadline.key, person, title, text.join("\n\n"), Some(body))
    }
}

fn subject(deadline: &Deadline, locale: Locale) -> String {
    let key = format!("mail.{}.subject", deadline.kind.id());
    texts::filled(&key, locale, |name| deadline.details.get(name).map(String::as_str))
}
