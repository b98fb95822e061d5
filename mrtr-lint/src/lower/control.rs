//! Branches, loops and jumps.

use syn::{Arm, Expr, ExprIf, ExprMatch, Lifetime, Pat};

use super::{Loop, Lower};
use crate::graph::{Edge, NodeId};
use crate::value::{Kind, Trigger, Value};

impl Lower<'_> {
    pub(super) fn control(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Block(block) => match &block.label {
                Some(label) => self.labelled_block(&label.name, &block.block),
                None => self.block(&block.block),
            },
            Expr::Unsafe(block) => self.block(&block.block),
            Expr::Const(_) => Value::data(),
            Expr::TryBlock(block) => self.try_block(&block.block),
            Expr::If(branch) => self.branch(branch),
            Expr::Let(binding) => {
                let value = self.expr(&binding.expr);
                let yes = Value {
                    unstable: value.unstable.clone(),
                    ..Value::data()
                };
                self.bind(&binding.pat, value);
                yes
            }
            Expr::Match(choice) => self.choice(choice),
            Expr::Loop(l) => {
                let label = l.label.as_ref().map(|label| label.name.clone());
                self.endless(label.as_ref(), &l.body)
            }
            Expr::While(l) => {
                let label = l.label.as_ref().map(|label| label.name.clone());
                self.while_loop(label.as_ref(), &l.cond, &l.body)
            }
            Expr::ForLoop(l) => self.for_loop(l),
            Expr::Return(jump) => {
                let value = jump
                    .expr
                    .as_deref()
                    .map_or_else(Value::data, |expr| self.expr(expr));
                self.frame()
                    .loops
                    .iter_mut()
                    .for_each(|l| l.left_early = true);
                self.leave(value)
            }
            Expr::Break(jump) => self.break_out(jump.label.as_ref(), jump.expr.as_deref()),
            Expr::Continue(jump) => self.next_iteration(jump.label.as_ref()),
            Expr::Yield(inner) => inner
                .expr
                .as_deref()
                .map_or_else(Value::data, |expr| self.expr(expr)),
            _ => Value::default(),
        }
    }

    /// `?` inside leaves the block only.
    fn try_block(&mut self, block: &syn::Block) -> Value {
        let body = self.body(|lower| lower.block(block));
        self.run_body(&body);
        body.result.clone()
    }

    fn branch(&mut self, branch: &ExprIf) -> Value {
        let mark = self.locals.mark();
        let condition = self.expr(&branch.cond);
        let decided = self.decided_by.len();
        self.decided_by.extend_from_slice(&condition.unstable);
        let test = self.step();
        self.step();
        let mut value = self.block(&branch.then_branch);
        self.locals.release(mark);
        let end_of_then = self.at;
        self.at = test;
        if let Some((_, otherwise)) = &branch.else_branch {
            self.step();
            let other = self.expr(otherwise);
            value = value.merge(&other);
        }
        let join = self.step();
        self.graph.link(end_of_then, join, Edge::Step);
        self.decided_by.truncate(decided);
        value.absorb_facts(&condition);
        value
    }

    fn choice(&mut self, choice: &ExprMatch) -> Value {
        let mut subject = self.expr(&choice.expr);
        self.run_eager(&mut subject);
        let decided = self.decided_by.len();
        self.decided_by.extend_from_slice(&subject.unstable);
        let mut test = self.step();
        let join = self.graph.add();
        let mut value: Option<Value> = None;
        for arm in &choice.arms {
            let (yields, next) = self.arm(arm, &subject, test);
            self.link(join);
            test = next;
            value = Some(match value {
                Some(before) => before.merge(&yields),
                None => yields,
            });
        }
        self.at = join;
        self.decided_by.truncate(decided);
        let mut value = value.unwrap_or_default();
        value.absorb_facts(&Value {
            deferred: Vec::new(),
            ..subject
        });
        value
    }

    /// Reads one arm; returns what it yields and where the next arm is tried.
    fn arm(&mut self, arm: &Arm, subject: &Value, test: NodeId) -> (Value, NodeId) {
        let mark = self.locals.mark();
        self.at = test;
        self.step();
        self.bind(&arm.pat, subject.clone());
        let mut next = test;
        if let Some(guard) = guard_of(&arm.pat) {
            self.expr(guard);
            let tried = self.step();
            next = self.graph.add();
            self.graph.link(test, next, Edge::Step);
            self.graph.link(tried, next, Edge::Step);
        }
        let value = self.expr(&arm.body);
        self.locals.release(mark);
        (value, next)
    }

    fn enter(
        &mut self,
        label: Option<&Lifetime>,
        head: Option<NodeId>,
        per_item: bool,
        unordered: bool,
    ) -> NodeId {
        let after = self.graph.add();
        let label = label.map(|label| label.ident.to_string());
        self.frame().loops.push(Loop {
            label,
            head,
            after,
            value: None,
            per_item,
            unordered,
            left_early: false,
            has_break: false,
            asks: Vec::new(),
            ends: Vec::new(),
        });
        after
    }

    /// The loop ends by its condition, or when its items do.
    fn has_way_out(&mut self) {
        if let Some(innermost) = self.frame().loops.last_mut() {
            innermost.has_break = true;
        }
    }

    /// Ends a loop: an ask in it is one per item, or the business of the loop around it.
    fn exit_loop(&mut self, after: NodeId) -> Value {
        let done = self.frame().loops.pop().expect("invariant: entered before");
        for &ask in &done.asks {
            let row = &mut self.facts.asks[ask];
            row.per_item |= done.per_item && !done.left_early;
            row.unordered |= done.unordered;
        }
        if let Some(outer) = self.frame().loops.last_mut() {
            outer.asks.extend(done.asks);
        }
        // An endless loop leads nowhere.
        for &end in done.ends.iter().filter(|_| done.has_break) {
            self.graph.link(end, after, Edge::Leave);
        }
        self.at = after;
        done.value.unwrap_or_else(Value::data)
    }

    fn labelled_block(&mut self, label: &Lifetime, block: &syn::Block) -> Value {
        let after = self.enter(Some(label), None, false, false);
        let value = self.block(block);
        self.link(after);
        let broken = self.exit_loop(after);
        value.merge(&broken)
    }

    fn endless(&mut self, label: Option<&Lifetime>, body: &syn::Block) -> Value {
        let head = self.step();
        let after = self.enter(label, Some(head), false, false);
        self.block(body);
        self.iterate(head);
        self.exit_loop(after)
    }

    fn while_loop(
        &mut self,
        label: Option<&Lifetime>,
        condition: &Expr,
        body: &syn::Block,
    ) -> Value {
        let head = self.step();
        let after = self.enter(label, Some(head), takes_items(condition), false);
        self.has_way_out();
        let mark = self.locals.mark();
        let value = self.expr(condition);
        let decided = self.decided_by.len();
        self.decided_by.extend_from_slice(&value.unstable);
        let test = self.step();
        self.graph.link(test, after, Edge::Step);
        self.step();
        self.block(body);
        self.locals.release(mark);
        self.decided_by.truncate(decided);
        self.iterate(head);
        self.exit_loop(after)
    }

    fn for_loop(&mut self, l: &syn::ExprForLoop) -> Value {
        let mut items = self.expr(&l.expr);
        let label = l.label.as_ref().map(|label| &label.name);
        let head = self.step();
        let after = self.enter(label, Some(head), true, items.unordered);
        self.has_way_out();
        self.graph.link(head, after, Edge::Step);
        self.step();
        // A lazy adapter runs its closure for each item that the loop takes.
        let ran = self.run(&mut items, &[Trigger::Drive]);
        let mark = self.locals.mark();
        let mut item = Value {
            text: None,
            name: None,
            ..items
        };
        if matches!(item.kind, Kind::Iter) {
            item.kind = Kind::Unknown;
        }
        item.absorb(&ran);
        self.bind(&l.pat, item);
        self.block(&l.body);
        self.locals.release(mark);
        self.iterate(head);
        self.exit_loop(after)
    }

    /// From the end of a loop's body to its next iteration.
    fn iterate(&mut self, head: NodeId) {
        let end = self.at;
        self.graph.link(end, head, Edge::Back);
        let innermost = self
            .frame()
            .loops
            .last_mut()
            .expect("invariant: inside the loop");
        innermost.ends.push(end);
    }

    /// The loop a jump names; a labelled block is left by its label only.
    fn find_loop(&mut self, label: Option<&Lifetime>) -> Option<usize> {
        let loops = &self.frame().loops;
        match label {
            Some(label) => {
                let name = label.ident.to_string();
                loops.iter().rposition(|l| l.label.as_ref() == Some(&name))
            }
            None => loops.iter().rposition(|l| l.head.is_some()),
        }
    }

    fn break_out(&mut self, label: Option<&Lifetime>, value: Option<&Expr>) -> Value {
        let value = value.map_or_else(Value::data, |value| self.expr(value));
        let Some(place) = self.find_loop(label) else {
            return self.diverge();
        };
        let frame = self.frame();
        frame.loops[place..]
            .iter_mut()
            .for_each(|l| l.left_early = true);
        let target = &mut frame.loops[place];
        target.has_break = true;
        target.value = Some(match target.value.take() {
            Some(before) => before.merge(&value),
            None => value,
        });
        let after = target.after;
        self.link(after);
        self.diverge()
    }

    fn next_iteration(&mut self, label: Option<&Lifetime>) -> Value {
        let Some(place) = self.find_loop(label) else {
            return self.diverge();
        };
        let from = self.at;
        let target = &mut self.frame().loops[place];
        target.ends.push(from);
        if let Some(head) = target.head {
            self.graph.link(from, head, Edge::Back);
        }
        self.diverge()
    }
}

/// The guard of an arm: `Some(n) if n > 0`.
fn guard_of(pat: &Pat) -> Option<&Expr> {
    match pat {
        Pat::Guard(guard) => Some(&guard.guard),
        Pat::Paren(paren) => guard_of(&paren.pat),
        _ => None,
    }
}

/// `while let Some(x) = items.next()` takes one item after the other, as `for` does.
fn takes_items(condition: &Expr) -> bool {
    let Expr::Let(binding) = condition else {
        return false;
    };
    let text = match &*binding.expr {
        Expr::MethodCall(call) => call.method.to_string(),
        Expr::Await(inner) => match &*inner.base {
            Expr::MethodCall(call) => call.method.to_string(),
            _ => return false,
        },
        _ => return false,
    };
    matches!(
        text.as_str(),
        "next" | "pop" | "pop_front" | "pop_back" | "next_item"
    )
}
