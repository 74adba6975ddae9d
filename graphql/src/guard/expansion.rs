//! Computes how large a document becomes once every spread is replaced by its fragment.
//!
//! The rule: each fragment is weighed once and remembered, so 26 fragments that double each other
//! cost 26 steps, and a fragment met again while it is still being weighed is a cycle.
//! The recursion is as deep as there are fragments, which the outline has already bounded.
//! It deliberately ignores spreads of unknown fragments; the schema reports those by name.

use std::collections::HashMap;

use super::outline::{Definition, Outline, Spread, too_deep};
use super::{Limits, Refusal};

/// A definition with everything it spreads.
#[derive(Debug, Clone, Copy)]
struct Weight {
    selections: usize,
    depth: usize,
    lists: usize,
    introspects: bool,
}

enum Mark {
    BeingWeighed,
    Weighed(Weight),
}

struct Scales<'o, 'a> {
    fragments: HashMap<&'a str, &'o Definition<'a>>,
    marks: HashMap<&'a str, Mark>,
    limits: &'o Limits,
}

pub(super) fn check(outline: &Outline<'_>, limits: &Limits) -> Result<(), Refusal> {
    let mut fragments = HashMap::new();
    for fragment in &outline.fragments {
        let name = fragment.name.unwrap_or_default();
        if fragments.insert(name, fragment).is_some() {
            let message = format!("there is more than one fragment {name}");
            return Err(Refusal::new("query_malformed", message));
        }
    }
    let mut scales = Scales { fragments, marks: HashMap::new(), limits };
    for fragment in &outline.fragments {
        scales.fragment(fragment.name.unwrap_or_default())?;
    }
    let mut selections: usize = 0;
    let mut introspects = false;
    for operation in &outline.operations {
        let weight = scales.definition(operation)?;
        selections = selections.saturating_add(weight.selections);
        introspects |= weight.introspects;
        if weight.introspects && weight.lists > limits.introspection_lists {
            let message = "the query lists the members of types too many times within each other";
            return Err(Refusal::new("introspection_too_deep", message));
        }
    }
    let most =
        if introspects { limits.introspection_selections } else { limits.expanded_selections };
    if selections > most {
        let message =
            format!("the query selects more than {most} fields once fragments are spread");
        return Err(Refusal::new("query_too_large", message));
    }
    Ok(())
}

impl<'a> Scales<'_, 'a> {
    fn fragment(&mut self, name: &'a str) -> Result<Option<Weight>, Refusal> {
        match self.marks.get(name) {
            Some(Mark::Weighed(weight)) => return Ok(Some(*weight)),
            Some(Mark::BeingWeighed) => {
                let message = format!("fragment {name} spreads itself");
                return Err(Refusal::new("fragment_cycle", message));
            }
            None => {}
        }
        let Some(definition) = self.fragments.get(name).copied() else { return Ok(None) };
        self.marks.insert(name, Mark::BeingWeighed);
        let weight = self.definition(definition)?;
        self.marks.insert(name, Mark::Weighed(weight));
        Ok(Some(weight))
    }

    fn definition(&mut self, definition: &Definition<'a>) -> Result<Weight, Refusal> {
        let mut whole = Weight {
            selections: definition.selections,
            depth: definition.depth,
            lists: definition.lists,
            introspects: definition.introspects,
        };
        for Spread { fragment, depth, lists } in &definition.spreads {
            let Some(part) = self.fragment(fragment)? else { continue };
            whole.selections = whole.selections.saturating_add(part.selections);
            whole.depth = whole.depth.max(depth + part.depth);
            whole.lists = whole.lists.max(lists + part.lists);
            whole.introspects |= part.introspects;
        }
        if whole.depth > self.limits.nesting {
            return Err(too_deep(self.limits));
        }
        Ok(whole)
    }
}
