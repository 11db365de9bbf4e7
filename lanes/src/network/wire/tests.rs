//! A wire whose other end says anything.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use helper::wire::{Local, MOST_DATA, Moved, ROOM, STREAMS, Side, Tunnel, WINDOW, kind};

use crate::network::{Internet, Proxy, Reach};

fn frame(kind: u8, stream: u8, count: u16) -> Vec<u8> {
    let [low, high] = count.to_le_bytes();
    vec![kind, stream, low, high]
}

fn data(stream: u8, count: usize) -> Vec<u8> {
    [frame(kind::DATA, stream, u16::try_from(count).unwrap()), vec![b'x'; count]].concat()
}

fn proxy() -> (UnixStream, Proxy) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    theirs.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let reach = Reach { hosts: Vec::new(), bytes: 1 << 20, outside: Arc::new(Internet) };
    (theirs, Proxy::over_wire(ours.into(), reach).unwrap())
}

#[test]
fn what_cannot_be_on_the_wire_ends_it() {
    let open = || frame(kind::OPEN, 3, 0);
    let window = || data(3, MOST_DATA).repeat(WINDOW / MOST_DATA);
    let cases: Vec<(&str, Vec<Vec<u8>>)> = vec![
        ("a frame of an unknown kind", vec![frame(0, 0, 0)]),
        ("a frame of an unknown kind", vec![frame(9, 0, 0)]),
        ("a stream that cannot be", vec![frame(kind::OPEN, 32, 0)]),
        ("a stream that cannot be", vec![frame(255, 255, 65_535)]),
        ("a stream that cannot be opened", vec![open(), open()]),
        ("a stream that cannot be opened", vec![frame(kind::OPEN, 0, 1)]),
        ("data that cannot be there", vec![data(0, 1)]),
        ("data that cannot be there", vec![open(), frame(kind::DATA, 3, 0)]),
        ("data that cannot be there", vec![open(), frame(kind::DATA, 3, 65_535)]),
        ("data that cannot be there", vec![open(), frame(kind::END, 3, 0), data(3, 1)]),
        ("an end that cannot be there", vec![open(), frame(kind::END, 3, 0), frame(kind::END, 3, 0)]),
        ("an end that cannot be there", vec![frame(kind::END, 3, 0)]),
        ("more was taken than was sent", vec![open(), frame(kind::TAKEN, 3, 1)]),
        ("more was taken than was sent", vec![open(), frame(kind::TAKEN, 3, 0)]),
        ("more was taken than was sent", vec![frame(kind::TAKEN, 3, 5)]),
        ("a stream that was gone before", vec![frame(kind::GONE, 3, 0)]),
        ("a stream that was gone before", vec![open(), frame(kind::GONE, 3, 7)]),
        // More than the window, whether or not the proxy reads: it is not told that there is room.
        ("data that cannot be there", vec![open(), window(), window()]),
    ];
    for (why, said) in cases {
        let (mut machine, proxy) = proxy();
        // It may be over before all was said.
        let _ = machine.write_all(&said.concat());
        // Nothing, or what the gate had to say until then.
        let _ = machine.read_to_end(&mut Vec::new());
        assert_eq!(proxy.broken(), Some(why), "{said:?}");
        assert!(proxy.end().is_empty());
    }
}

#[test]
fn noise_ends_the_wire_and_nothing_else() {
    let mut random = Random(7);
    for _ in 0..200 {
        let (mut machine, proxy) = proxy();
        let noise: Vec<u8> = (0..4_096).map(|_| random.byte()).collect();
        let _ = machine.write_all(&noise);
        let _ = machine.read_to_end(&mut Vec::new());
        assert!(proxy.broken().is_some());
    }
}

/// All streams are opened and filled, nobody listens, and streams come and go as fast as they can.
#[test]
fn a_machine_that_floods_and_never_listens_is_held_back_and_its_run_ends_at_once() {
    let (mut machine, proxy) = proxy();
    let request = b"GET http://a/ HTTP/1.1\r\n\r\n";
    for round in 0..50 {
        for stream in 0..u8::try_from(STREAMS).unwrap() {
            machine.write_all(&frame(kind::OPEN, stream, 0)).unwrap();
            let count = u16::try_from(request.len()).unwrap();
            machine.write_all(&[&frame(kind::DATA, stream, count), request.as_slice()].concat()).unwrap();
        }
        if round == 49 {
            break;
        }
        for stream in 0..u8::try_from(STREAMS).unwrap() {
            machine.write_all(&frame(kind::GONE, stream, 0)).unwrap();
        }
        // Streams are free when the gate said so too.
        let mut gone = 0;
        while gone < STREAMS {
            let mut head = [0; 4];
            machine.read_exact(&mut head).unwrap();
            let [kind, _, low, high] = head;
            match kind {
                kind::GONE => gone += 1,
                kind::DATA => {
                    machine.read_exact(&mut vec![0; usize::from(u16::from_le_bytes([low, high]))]).unwrap();
                }
                _ => {}
            }
        }
    }
    assert_eq!(proxy.broken(), None);
    let begun = Instant::now();
    proxy.end();
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// A connection in memory, of which only so much is taken at once.
#[derive(Clone, Default)]
struct Pipe(Rc<RefCell<Held>>);

#[derive(Default)]
struct Held {
    to_send: VecDeque<u8>,
    came: Vec<u8>,
    /// Bytes that may be written or read now.
    pace: usize,
    ended: bool,
}

impl Local for Pipe {
    fn read(&mut self, into: &mut [u8]) -> Moved {
        let mut held = self.0.borrow_mut();
        if held.to_send.is_empty() {
            return Moved::Over;
        }
        let count = held.pace.min(into.len()).min(held.to_send.len());
        if count == 0 {
            return Moved::Later;
        }
        for place in into.iter_mut().take(count) {
            *place = held.to_send.pop_front().unwrap();
        }
        Moved::Bytes(count)
    }

    fn write(&mut self, bytes: &[u8]) -> Moved {
        let mut held = self.0.borrow_mut();
        let count = held.pace.min(bytes.len());
        if count == 0 {
            return Moved::Later;
        }
        assert!(!held.ended);
        held.came.extend(&bytes[..count]);
        Moved::Bytes(count)
    }

    fn end(&mut self) {
        self.0.borrow_mut().ended = true;
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next()).unwrap() % most
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }
}

/// Two ends, whose wire takes some bytes at a time, with connections that are slow by chance.
#[test]
fn every_byte_arrives_in_order_and_once_however_slow_anybody_is() {
    for seed in 0..6 {
        let mut random = Random(seed);
        let (mut one, mut other) = (vec![0; ROOM], vec![0; ROOM]);
        let mut machine: Tunnel<'_, Pipe> = Tunnel::new(Side::Machine, &mut one).unwrap();
        let mut gate: Tunnel<'_, Pipe> = Tunnel::new(Side::Gate, &mut other).unwrap();
        let mut wires: [VecDeque<u8>; 2] = Default::default();
        let mut ends: Vec<(Pipe, Pipe, Vec<u8>, Vec<u8>)> = Vec::new();
        let mut waiting = 60;
        // The far end of the stream that is being opened: one at a time, so that it is known which it is.
        let mut next: Option<Pipe> = None;
        for _ in 0..200_000 {
            if waiting > 0 && next.is_none() && machine.has_room() && random.below(3) == 0 {
                waiting -= 1;
                let (near, far) = (Pipe::default(), Pipe::default());
                let mut content = || {
                    let length = if random.below(4) == 0 { 0 } else { random.below(3 * WINDOW) };
                    (0..length).map(|_| random.byte()).collect::<Vec<u8>>()
                };
                let (out, back) = (content(), content());
                near.0.borrow_mut().to_send = out.iter().copied().collect();
                far.0.borrow_mut().to_send = back.iter().copied().collect();
                machine.add(near.clone());
                next = Some(far.clone());
                ends.push((near, far, out, back));
            }
            for (near, far, ..) in &ends {
                for pipe in [near, far] {
                    pipe.0.borrow_mut().pace = if random.below(3) == 0 { 0 } else { random.below(20_000) };
                }
            }
            for (tunnel, out, back) in [(&mut machine, 0, 1), (&mut gate, 1, 0)] {
                for stream in 0..STREAMS {
                    if let Some((_, reads, writes)) = tunnel.interest(stream) {
                        tunnel.ready(stream, reads, writes, false);
                    }
                }
                let says = tunnel.outgoing();
                let count = random.below(says.len() + 1).min(4_096 - wires[out].len().min(4_096));
                wires[out].extend(&says[..count]);
                tunnel.sent(count);
                let count = random.below(wires[back].len() + 1);
                let came: Vec<u8> = wires[back].drain(..count).collect();
                tunnel.take(&came, &mut || next.take()).unwrap();
            }
            let is_done = |(near, far, out, back): &(Pipe, Pipe, Vec<u8>, Vec<u8>)| {
                let (near, far) = (near.0.borrow(), far.0.borrow());
                near.ended && far.ended && near.came.len() == back.len() && far.came.len() == out.len()
            };
            if waiting == 0 && ends.iter().all(is_done) && machine.outgoing().is_empty() {
                break;
            }
        }
        assert_eq!(waiting, 0);
        for (near, far, out, back) in &ends {
            assert!(near.0.borrow().came == *back && far.0.borrow().came == *out, "seed {seed}");
            assert!(near.0.borrow().ended && far.0.borrow().ended);
        }
    }
}

/// What a test knows of a stream.
#[derive(Clone, Copy, Default)]
struct Known {
    open: bool,
    /// The machine sends no more, and is gone.
    ended: bool,
    gone: bool,
    /// The gate is gone.
    gate_gone: bool,
    /// Bytes that the machine may still send, and those that the gate sent and nobody took.
    grant: usize,
    sent: usize,
}

impl Known {
    /// A frame that can be here, if there is one.
    fn frame(self, random: &mut Random) -> Option<(u8, usize)> {
        if !self.open {
            return Some((kind::OPEN, 0));
        }
        match random.below(12) {
            _ if self.gone => None,
            0 => Some((kind::GONE, 0)),
            1 if !self.ended => Some((kind::END, 0)),
            2..6 if self.sent > 0 => Some((kind::TAKEN, 1 + random.below(self.sent.min(60_000)))),
            _ if !self.ended && self.grant > 0 => {
                Some((kind::DATA, 1 + random.below(self.grant.min(MOST_DATA))))
            }
            _ => None,
        }
    }

    /// The machine said it.
    fn hear(&mut self, kind: u8, count: usize) {
        match kind {
            kind::OPEN => *self = Self { open: true, grant: WINDOW, ..Self::default() },
            kind::DATA => self.grant -= count,
            kind::TAKEN => self.sent -= count,
            kind::END => self.ended = true,
            _ => self.gone = true,
        }
        self.open &= !(self.gone && self.gate_gone);
    }

    /// The gate says it: not unless it can be.
    fn say(&mut self, kind: u8, count: usize) {
        assert!(self.open && !self.gate_gone, "{kind} of a stream that is not open");
        match kind {
            kind::DATA => {
                self.sent += count;
                assert!((1..=MOST_DATA).contains(&count) && self.sent <= WINDOW);
            }
            kind::TAKEN => {
                self.grant += count;
                assert!(count > 0 && self.grant <= WINDOW);
            }
            kind::END => assert_eq!(count, 0),
            kind::GONE => self.gate_gone = true,
            other => panic!("{other}"),
        }
        self.open &= !(self.gone && self.gate_gone);
    }
}

/// Frames that can be, in any order, with connections that come, go and stand still.
#[test]
fn whatever_comes_the_gate_says_only_what_can_be() {
    let mut frames = 0;
    for seed in 0..100 {
        let mut random = Random(seed);
        let mut room = vec![0; ROOM];
        let mut gate: Tunnel<'_, Pipe> = Tunnel::new(Side::Gate, &mut room).unwrap();
        let mut streams = [Known::default(); STREAMS];
        let mut pipes: Vec<Pipe> = Vec::new();
        for _ in 0..300 {
            let stream = random.below(4);
            if let Some((kind, count)) = streams[stream].frame(&mut random) {
                let mut bytes = frame(kind, u8::try_from(stream).unwrap(), u16::try_from(count).unwrap());
                bytes.resize(bytes.len() + if kind == kind::DATA { count } else { 0 }, 7);
                let mut connect = || {
                    let pipe = Pipe::default();
                    pipe.0.borrow_mut().to_send = (0..90_000).map(|_| 1).collect();
                    pipes.push(pipe.clone());
                    (!pipes.len().is_multiple_of(9)).then_some(pipe)
                };
                gate.take(&bytes, &mut connect).unwrap();
                streams[stream].hear(kind, count);
                frames += 1;
            }
            for pipe in &pipes {
                pipe.0.borrow_mut().pace = if random.below(3) == 0 { 0 } else { random.below(20_000) };
            }
            for stream in 0..STREAMS {
                if let Some((_, reads, writes)) = gate.interest(stream) {
                    gate.ready(stream, reads, writes, random.below(200) == 0);
                }
            }
            let said = gate.outgoing().to_vec();
            gate.sent(said.len());
            let mut rest = said.as_slice();
            while let Some(([kind, stream, low, high], behind)) = rest.split_first_chunk() {
                let count = usize::from(u16::from_le_bytes([*low, *high]));
                streams[usize::from(*stream)].say(*kind, count);
                rest = if *kind == kind::DATA { &behind[count..] } else { behind };
            }
            assert!(rest.is_empty());
        }
    }
    assert!(frames > 10_000, "{frames}");
}
