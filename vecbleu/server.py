"""What a helper process does: it applies functions to blocks that come through a pipe."""

from __future__ import annotations

import os
import sys

from vecbleu.messages import Message, pack, portable, receive, send, unpack

# What a helper says first; whatever comes before has been printed by others (`sitecustomize`).
READY = b"\nvecbleu helper: ready\n"


def serve() -> None:
    """Be a helper: apply the functions to the blocks that follow each."""
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints does not get among the replies
    try:
        replies.write(READY)
        while True:
            send(replies, [_reply(receive(requests), receive(requests))])
    except (EOFError, BrokenPipeError):  # there is no more work
        os._exit(0)


def _reply(function: Message, block: Message) -> Message:
    """A packed result and no error, or the other way round."""
    try:
        return pack((unpack(function)(unpack(block)), None))
    except Exception as error:
        return pack((None, portable(error)))
