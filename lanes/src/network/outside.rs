//! Names and connections.

use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

/// Whoever resolves names and makes connections.
pub trait Outside: Debug + Send + Sync {
    /// The addresses of a name.
    ///
    /// # Errors
    /// When it has none.
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    /// A connection to this very address.
    ///
    /// # Errors
    /// When nobody is there.
    fn connect(&self, address: SocketAddr) -> io::Result<TcpStream>;
}

/// The network that this machine is in.
#[derive(Clone, Copy, Debug)]
pub struct Internet;

impl Outside for Internet {
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok((host, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
    }

    fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        TcpStream::connect_timeout(&address, Duration::from_secs(10))
    }
}
