//! The organisation's policy.

use async_graphql::{Json, Object};
use sixgate_workflows::policy;

pub(crate) struct Policy(pub policy::Policy);

#[Object]
impl Policy {
    /// 1 is the shipped document.
    async fn version(&self) -> u32 {
        self.0.version
    }

    /// The whole document, in the shape that `publishPolicy` takes.
    async fn document(&self) -> Json<&policy::Policy> {
        Json(&self.0)
    }
}
