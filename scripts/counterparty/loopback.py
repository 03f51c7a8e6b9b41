"""Runs a Python program (its module and its arguments are the arguments of this one) so that every port it listens on can be
reached from this machine only."""

import runpy
import socket
import sys


class Loopback(socket.socket):
    """A socket that listens on the loopback address, whatever address it is given."""

    def bind(self, address):
        host = "::ffff:127.0.0.1" if self.family == socket.AF_INET6 else "127.0.0.1"
        super().bind((host, *address[1:]))


socket.socket = Loopback
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
