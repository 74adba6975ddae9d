//! Read models as they lie in a checkpoint: an index of rows, and a region that holds their states.

use std::{collections::BTreeMap, collections::BTreeSet, ops::Range, sync::Arc};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sixgate_storage::{Hash, Position, Revision};
use sixgate_workflows::{
    evidence::ContentHash,
    ids::{CommandId, ProcurementId},
};
use uuid::Uuid;

use super::{Entities, Entity, Post, Views, entities::Row, held::Held};
use crate::subject::Subject;

#[derive(Serialize, Deserialize)]
pub(crate) struct RestingViews {
    pub(crate) position: Position,
    hash: Hash,
    procurements: Vec<RestingRow>,
    suppliers: Vec<RestingRow>,
    people: Vec<RestingRow>,
    policy: Vec<RestingRow>,
    notices: Vec<RestingRow>,
    digests: Vec<RestingRow>,
    prices: Vec<RestingRow>,
    post: Post,
    /// Ids of 16 bytes and positions of 8, in the order of ids.
    commands: Range<usize>,
    files: BTreeMap<ContentHash, BTreeSet<ProcurementId>>,
}

#[derive(Serialize, Deserialize)]
struct RestingRow {
    stream: String,
    now: RestingEntity,
    stations: Vec<RestingEntity>,
}

#[derive(Serialize, Deserialize)]
struct RestingEntity {
    revision: Revision,
    position: Position,
    at: DateTime<Utc>,
    latest: DateTime<Utc>,
    state: Range<usize>,
}

const COMMAND_BYTES: usize = 24;

impl RestingViews {
    /// The index; the states go to the end of the region.
    pub(crate) fn of(views: &Views, region: &mut Vec<u8>) -> std::io::Result<Self> {
        let start = region.len();
        for (command, position) in &views.commands {
            region.extend(command.0.as_bytes());
            region.extend(position.0.to_be_bytes());
        }
        let commands = start..region.len();
        Ok(Self {
            position: views.position,
            hash: views.hash,
            procurements: rest(&views.procurements, region)?,
            suppliers: rest(&views.suppliers, region)?,
            people: rest(&views.people, region)?,
            policy: rest(&views.policy, region)?,
            notices: rest(&views.notices, region)?,
            digests: rest(&views.digests, region)?,
            prices: rest(&views.prices, region)?,
            post: views.post.clone(),
            commands,
            files: views.files.clone(),
        })
    }

    /// `None` where the index points out of the region, which begins at `start`.
    pub(crate) fn views(self, checkpoint: Arc<Vec<u8>>, start: usize) -> Option<Views> {
        let region = Region { checkpoint, start };
        let commands = region.checkpoint.get(region.span(&self.commands)?)?;
        let command = |bytes: &[u8]| {
            let (id, position) = bytes.split_first_chunk::<16>()?;
            let position = u64::from_be_bytes(position.try_into().ok()?);
            Some((CommandId(Uuid::from_bytes(*id)), Position(position)))
        };
        Some(Views {
            position: self.position,
            hash: self.hash,
            commands: commands.chunks(COMMAND_BYTES).map(command).collect::<Option<_>>()?,
            procurements: region.entities(self.procurements)?,
            suppliers: region.entities(self.suppliers)?,
            people: region.entities(self.people)?,
            policy: region.entities(self.policy)?,
            notices: region.entities(self.notices)?,
            digests: region.entities(self.digests)?,
            prices: region.entities(self.prices)?,
            post: self.post,
            files: self.files,
        })
    }
}

fn rest<S: Subject>(
    entities: &Entities<S>,
    region: &mut Vec<u8>,
) -> std::io::Result<Vec<RestingRow>> {
    let mut entity = |entity: &Entity<S>| -> std::io::Result<RestingEntity> {
        let start = region.len();
        entity.state.write_to(region)?;
        Ok(RestingEntity {
            revision: entity.revision,
            position: entity.position,
            at: entity.at,
            latest: entity.latest,
            state: start..region.len(),
        })
    };
    let mut rows = Vec::with_capacity(entities.rows.len());
    for (stream, row) in &entities.rows {
        rows.push(RestingRow {
            stream: stream.clone(),
            now: entity(&row.now)?,
            stations: row.stations.iter().map(&mut entity).collect::<Result<_, _>>()?,
        });
    }
    Ok(rows)
}

/// Where the states lie.
struct Region {
    checkpoint: Arc<Vec<u8>>,
    start: usize,
}

impl Region {
    fn span(&self, span: &Range<usize>) -> Option<Range<usize>> {
        Some(self.start.checked_add(span.start)?..self.start.checked_add(span.end)?)
    }

    fn entities<S: Subject>(&self, rows: Vec<RestingRow>) -> Option<Entities<S>> {
        let row = |row: RestingRow| {
            let stations = row.stations.into_iter().map(|station| self.entity(station));
            let stations = stations.collect::<Option<_>>()?;
            Some((row.stream, Row { now: self.entity(row.now)?, stations }))
        };
        Some(Entities { rows: rows.into_iter().map(row).collect::<Option<_>>()? })
    }

    fn entity<S: Subject>(&self, entity: RestingEntity) -> Option<Entity<S>> {
        Some(Entity {
            revision: entity.revision,
            position: entity.position,
            at: entity.at,
            latest: entity.latest,
            state: Held::at_rest(&self.checkpoint, self.span(&entity.state)?)?,
        })
    }
}
