//! Reads the outline of a document: its operations and fragments, how large and how deep each is.
//!
//! The rule: one pass, one heap stack of open brackets that never grows past the nesting limit.
//! Braces outside parentheses are selection sets and braces inside are values, which is all the
//! grammar the counts need; anything that cannot be placed is refused rather than skipped.
//! It deliberately does not build a tree and does not look inside arguments.

use super::tokens::{Token, Tokens, malformed};
use super::{Limits, Refusal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Query,
    Mutation,
    Subscription,
    Fragment,
}

/// Fields that list the members of a type: the only way to go round in circles in introspection.
const MEMBER_LISTS: [&str; 4] = ["fields", "inputFields", "interfaces", "possibleTypes"];

#[derive(Debug)]
pub(super) struct Spread<'a> {
    pub(super) fragment: &'a str,
    pub(super) depth: usize,
    pub(super) lists: usize,
}

/// One operation or fragment by itself, its spreads not yet followed.
#[derive(Debug)]
pub(super) struct Definition<'a> {
    pub(super) kind: Kind,
    pub(super) name: Option<&'a str>,
    pub(super) selections: usize,
    pub(super) depth: usize,
    pub(super) lists: usize,
    pub(super) introspects: bool,
    pub(super) spreads: Vec<Spread<'a>>,
}

#[derive(Debug, Default)]
pub(super) struct Outline<'a> {
    pub(super) operations: Vec<Definition<'a>>,
    pub(super) fragments: Vec<Definition<'a>>,
}

/// What the next name would be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Top,
    Header,
    Selection,
    AfterAlias,
    AfterAt,
    AfterSpread,
    /// Carries where the word `on` ends.
    AfterOn(usize),
}

struct Level {
    bracket: u8,
    lists: usize,
}

#[derive(Default)]
struct Counts {
    selections: usize,
    aliases: usize,
    directives: usize,
    spreads: usize,
}

struct Reader<'a, 'l> {
    source: &'a str,
    limits: &'l Limits,
    outline: Outline<'a>,
    current: Option<Definition<'a>>,
    levels: Vec<Level>,
    /// Open parentheses; inside them everything is a value.
    arguments: usize,
    place: Place,
    field: Option<&'a str>,
    counts: Counts,
}

pub(super) fn read<'a>(source: &'a str, limits: &Limits) -> Result<Outline<'a>, Refusal> {
    let mut tokens = Tokens::new(source);
    let mut reader = Reader {
        source,
        limits,
        outline: Outline::default(),
        current: None,
        levels: Vec::new(),
        arguments: 0,
        place: Place::Top,
        field: None,
        counts: Counts::default(),
    };
    while let Some((token, at)) = tokens.next()? {
        reader.accept(token, at)?;
    }
    reader.finish()
}

impl<'a> Reader<'a, '_> {
    fn accept(&mut self, token: Token<'a>, at: usize) -> Result<(), Refusal> {
        match token {
            Token::Open(bracket) => self.open(bracket, at),
            Token::Close(bracket) => self.close(bracket, at),
            Token::At => {
                self.counts.directives += 1;
                if self.arguments == 0 {
                    self.place = Place::AfterAt;
                }
                let (count, most) = (self.counts.directives, self.limits.directives);
                within(count, most, "directives_too_many", "directives")
            }
            _ if self.arguments > 0 => Ok(()),
            Token::Name(name) => self.name(name, at),
            Token::Spread if !self.levels.is_empty() => {
                self.place = Place::AfterSpread;
                self.field = None;
                self.select()
            }
            Token::Colon if self.field.is_some() => {
                self.place = Place::AfterAlias;
                self.counts.aliases += 1;
                let (count, most) = (self.counts.aliases, self.limits.aliases);
                within(count, most, "aliases_too_many", "aliases")
            }
            Token::Spread | Token::Colon | Token::Text | Token::Other(_) => {
                Err(malformed(self.source, at, "a character that has no meaning here"))
            }
        }
    }

    fn open(&mut self, bracket: u8, at: usize) -> Result<(), Refusal> {
        let nested = self.levels.last().map_or(0, |level| level.lists);
        let mut lists = nested;
        match bracket {
            b'(' => self.arguments += 1,
            b'{' if self.arguments == 0 => {
                let listed = self.field.take().is_some_and(|name| MEMBER_LISTS.contains(&name));
                lists += usize::from(listed);
                if self.levels.is_empty() && self.current.is_none() {
                    self.current = Some(definition(Kind::Query));
                }
                self.check_header(at)?;
                self.place = Place::Selection;
            }
            _ if self.arguments == 0 => {
                return Err(malformed(self.source, at, "a list outside of an argument"));
            }
            _ => {}
        }
        self.levels.push(Level { bracket, lists });
        let depth = self.levels.len();
        if let Some(current) = &mut self.current {
            current.depth = current.depth.max(depth);
            current.lists = current.lists.max(lists);
        }
        if depth > self.limits.nesting {
            return Err(too_deep(self.limits));
        }
        Ok(())
    }

    /// The specification forbids a fragment named `on`, and telling it from a type condition is
    /// where our reading and the parser's could part.
    fn check_header(&self, at: usize) -> Result<(), Refusal> {
        match &self.current {
            Some(current)
                if current.kind == Kind::Fragment
                    && current.name.is_none_or(|name| name == "on") =>
            {
                Err(malformed(self.source, at, "a fragment without a usable name"))
            }
            Some(_) | None => Ok(()),
        }
    }

    fn close(&mut self, bracket: u8, at: usize) -> Result<(), Refusal> {
        let opened = self.levels.pop().map(|level| level.bracket);
        let expected = match opened {
            Some(b'{') => Some(b'}'),
            Some(b'(') => Some(b')'),
            Some(_) => Some(b']'),
            None => None,
        };
        if expected != Some(bracket) {
            return Err(malformed(self.source, at, "a bracket closes what was not open"));
        }
        if bracket == b')' {
            self.arguments -= 1;
            return Ok(());
        }
        if self.arguments == 0 {
            self.field = None;
            self.place = Place::Selection;
        }
        if self.levels.is_empty() {
            self.place = Place::Top;
            return self.keep();
        }
        Ok(())
    }

    fn keep(&mut self) -> Result<(), Refusal> {
        let Some(done) = self.current.take() else { return Ok(()) };
        if done.kind == Kind::Fragment {
            self.outline.fragments.push(done);
            let (count, most) = (self.outline.fragments.len(), self.limits.fragments);
            return within(count, most, "fragments_too_many", "fragments");
        }
        self.outline.operations.push(done);
        let (count, most) = (self.outline.operations.len(), self.limits.operations);
        within(count, most, "operations_too_many", "operations")
    }

    fn name(&mut self, name: &'a str, at: usize) -> Result<(), Refusal> {
        match self.place {
            Place::Top => self.begin(name, at)?,
            Place::Header => {
                if let Some(current) = &mut self.current {
                    current.name.get_or_insert(name);
                }
            }
            Place::Selection => {
                self.field(name);
                return self.select();
            }
            Place::AfterAlias => {
                self.field(name);
                self.place = Place::Selection;
            }
            Place::AfterSpread if name == "on" => self.place = Place::AfterOn(at + name.len()),
            Place::AfterSpread => return self.spread(name),
            Place::AfterAt if self.levels.is_empty() => self.place = Place::Header,
            // The parser would take this `on` for a fragment and the type for a field.
            Place::AfterOn(end) if self.source[end..at].contains('#') => {
                return Err(malformed(self.source, at, "a comment between on and its type"));
            }
            Place::AfterAt | Place::AfterOn(_) => self.place = Place::Selection,
        }
        Ok(())
    }

    fn begin(&mut self, keyword: &str, at: usize) -> Result<(), Refusal> {
        let kind = match keyword {
            "query" => Kind::Query,
            "mutation" => Kind::Mutation,
            "subscription" => Kind::Subscription,
            "fragment" => Kind::Fragment,
            _ => {
                let what = "expected query, mutation, subscription, fragment or a selection";
                return Err(malformed(self.source, at, what));
            }
        };
        self.current = Some(definition(kind));
        self.place = Place::Header;
        Ok(())
    }

    fn field(&mut self, name: &'a str) {
        self.field = Some(name);
        if let Some(current) = &mut self.current {
            current.introspects |= matches!(name, "__schema" | "__type");
        }
    }

    fn spread(&mut self, fragment: &'a str) -> Result<(), Refusal> {
        let depth = self.levels.len();
        let lists = self.levels.last().map_or(0, |level| level.lists);
        if let Some(current) = &mut self.current {
            current.spreads.push(Spread { fragment, depth, lists });
        }
        self.place = Place::Selection;
        self.counts.spreads += 1;
        let (count, most) = (self.counts.spreads, self.limits.spreads);
        within(count, most, "spreads_too_many", "fragment spreads")
    }

    fn select(&mut self) -> Result<(), Refusal> {
        if let Some(current) = &mut self.current {
            current.selections += 1;
        }
        self.counts.selections += 1;
        within(self.counts.selections, self.limits.selections, "query_too_wide", "selections")
    }

    fn finish(self) -> Result<Outline<'a>, Refusal> {
        if !self.levels.is_empty() || self.current.is_some() {
            return Err(malformed(self.source, self.source.len(), "the document ends too early"));
        }
        if self.outline.operations.is_empty() {
            return Err(Refusal::new("query_malformed", "the document holds no operation"));
        }
        Ok(self.outline)
    }
}

fn definition<'a>(kind: Kind) -> Definition<'a> {
    Definition {
        kind,
        name: None,
        selections: 0,
        depth: 0,
        lists: 0,
        introspects: false,
        spreads: Vec::new(),
    }
}

fn within(count: usize, most: usize, code: &'static str, what: &str) -> Result<(), Refusal> {
    if count > most {
        return Err(Refusal::new(code, format!("the query has more than {most} {what}")));
    }
    Ok(())
}

pub(super) fn too_deep(limits: &Limits) -> Refusal {
    let message = format!("the query is nested more than {} levels deep", limits.nesting);
    Refusal::new("query_too_deep", message)
}
