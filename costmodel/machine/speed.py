"""Speed against throughput: the more requests share a GPU, the more it delivers and the slower each of them gets."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self


class Load(NamedTuple):
    """A load on one GPU: requests open on it, and the tok/s each of them gets."""

    requests_per_gpu: float
    tok_s_per_user: float


def inter_token_s(*, base_s: float, s_per_request: float, requests_per_gpu: float) -> float:
    """Time between two output tokens of one request, seconds.

    Formula: ITL(n) = t0 + t1 · n
    Assumes: decode reads the weights once for all open requests (t0) and each request's KV cache on top (t1).
    Source: linear in all published decode curves of this catalogue; fitted, not derived.

    >>> inter_token_s(base_s=0.002, s_per_request=0.0001, requests_per_gpu=80)
    0.01
    """
    return base_s + s_per_request * requests_per_gpu


def affine_fit(first: Load, second: Load) -> tuple[float, float]:
    """(t0, t1) of the straight inter-token time through two measured loads, seconds and seconds per request.

    Formula: t1 = (1/v2 - 1/v1) / (n2 - n1),  t0 = 1/v1 - t1 · n1
    Assumes: the two loads differ and the busier one is slower per user.
    Source: DeepSeek's points of 8 and 256 requests per GPU (tokely.me, 25 October 2026).

    >>> base, slope = affine_fit(Load(8, 325), Load(256, 101.5625))
    >>> round(1 / base, 1), round(1 / slope)
    (349.8, 36636)
    """
    (fewer, faster), (more, slower) = first, second
    s_per_request = (1 / slower - 1 / faster) / (more - fewer)
    return 1 / faster - s_per_request * fewer, s_per_request


def output_tok_s_per_gpu_at(*, tok_s_per_user: float, fastest_tok_s: float, most_output_tok_s: float) -> float:
    """Output tok/s of a GPU while every user gets a given speed; 0 where no GPU can be that fast.

    Formula: X(v) = X_max · (1 - v / v_max)
    Assumes: the affine inter-token time; v_max = 1/t0 is one request alone, X_max = 1/t1 the limit of very many.
    Source: the same fit: 300 tok/s per user leave 5,218 tok/s per GPU, a seventh of the limit.

    >>> round(output_tok_s_per_gpu_at(tok_s_per_user=300, fastest_tok_s=349.8236, most_output_tok_s=36_635.5))
    5218
    """
    return max(0.0, most_output_tok_s * (1 - tok_s_per_user / fastest_tok_s))


def tok_s_per_user_at(*, output_tok_s_per_gpu: float, fastest_tok_s: float, most_output_tok_s: float) -> float:
    """Speed each user gets while a GPU delivers a given output.

    Formula: v(X) = v_max · (1 - X / X_max)
    Assumes: as for the throughput at a speed, of which it is the inverse.
    Source: at 14,466 tok/s per GPU it gives 212 tok/s per user; DeepSeek's API is measured at 190 to 214
    (pikas.systems, September 2026): an independent confirmation.

    >>> round(tok_s_per_user_at(output_tok_s_per_gpu=14_466, fastest_tok_s=349.8236, most_output_tok_s=36_635.5), 1)
    211.7
    """
    return fastest_tok_s * (1 - output_tok_s_per_gpu / most_output_tok_s)


def expected_tokens_per_step(*, acceptance: float, drafted_tokens: int) -> float:
    """Output tokens one decode step yields with speculative decoding.

    Formula: E(a) = (1 - a^(g+1)) / (1 - a), and g + 1 at a = 1
    Assumes: each drafted token is accepted with the same chance a, up to the first that is not.
    Source: the standard result for speculative decoding; throughput scales with E(a)/E(a0).

    >>> ratio = (expected_tokens_per_step(acceptance=0.60, drafted_tokens=5)
    ...          / expected_tokens_per_step(acceptance=0.75, drafted_tokens=5))
    >>> f"{ratio - 1:.1%}"
    '-27.5%'
    """
    if acceptance == 1:
        return drafted_tokens + 1
    return (1 - acceptance ** (drafted_tokens + 1)) / (1 - acceptance)


_HALVINGS = 60
"""Halvings of a speed range until a float can tell no more."""


@dataclass(frozen=True)
class Frontier:
    """What one GPU can deliver at which speed per user, from measured loads; never beyond them.

    `loads` are sorted by requests per GPU; speed falls and output rises along them.
    """

    loads: tuple[Load, ...]
    stated_slowest_tok_s: float | None = None
    """Speed per user the source states for its busiest load, where it rounds: the last piece is followed down to it."""

    @property
    def fastest_tok_s(self) -> float:
        """The highest measured speed per user."""
        return self.loads[0].tok_s_per_user

    @property
    def slowest_tok_s(self) -> float:
        """The speed per user at the highest measured load."""
        return self.stated_slowest_tok_s or self.loads[-1].tok_s_per_user

    @property
    def most_output_tok_s(self) -> float:
        """Output of one GPU at the highest measured load."""
        return self.requests_at_slowest * self.slowest_tok_s

    @property
    def requests_at_slowest(self) -> float:
        """Requests open on one GPU at the highest measured load."""
        if self.stated_slowest_tok_s is None:
            return self.loads[-1].requests_per_gpu
        return requests_at(self.loads, tok_s_per_user=self.stated_slowest_tok_s)

    @property
    def is_one_load(self) -> bool:
        """Whether a single load was measured, so that the curve is flat below it and unknown above."""
        return len(self.loads) == 1

    def down_to(self, tok_s_per_user: float) -> Self:
        """The same curve, ending at the speed its source states, if that is slower than the busiest load gives."""
        if tok_s_per_user >= self.loads[-1].tok_s_per_user:
            return self
        return replace(self, stated_slowest_tok_s=tok_s_per_user)

    def times(self, factor: float) -> Self:
        """Every request faster by a factor at the same load, as more accepted drafts make it."""
        stated = self.stated_slowest_tok_s
        return replace(
            self,
            loads=tuple(Load(load.requests_per_gpu, load.tok_s_per_user * factor) for load in self.loads),
            stated_slowest_tok_s=None if stated is None else stated * factor,
        )

    def up_to(self, requests_per_gpu: float) -> Self | None:
        """The part of the curve whose requests fit into memory; None where not even its lowest load does."""
        if requests_per_gpu >= self.requests_at_slowest:
            return self
        kept = [load for load in self.loads if load.requests_per_gpu <= requests_per_gpu]
        if not kept:
            return None
        edge = Load(requests_per_gpu, speed_at(self.loads, requests_per_gpu=requests_per_gpu))
        loads = kept if kept[-1] == edge else [*kept, edge]
        return replace(self, loads=tuple(loads), stated_slowest_tok_s=None)

    def speed_of(self, output_tok_s_per_gpu: float) -> float | None:
        """Speed per user while a GPU delivers a given output; None outside what was measured."""
        low, high = self.slowest_tok_s, self.fastest_tok_s
        least = self.loads[0].requests_per_gpu * high
        if not least <= output_tok_s_per_gpu <= self.most_output_tok_s or self.is_one_load:
            return None
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if (self.output_tok_s_at(middle) or 0) > output_tok_s_per_gpu:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    @property
    def limits(self) -> tuple[float, float] | None:
        """(v_max, X_max) of the straight line through exactly two loads; with more, no line is claimed."""
        if len(self.loads) != 2:
            return None
        base_s, s_per_request = affine_fit(*self.loads)
        return (1 / base_s, 1 / s_per_request) if base_s > 0 and s_per_request > 0 else None

    def output_tok_s_at(self, tok_s_per_user: float) -> float | None:
        """Output tok/s of one GPU at a speed per user; None above the fastest measured speed.

        Below the slowest measured speed it stays at the highest measured output: nothing is extrapolated.
        """
        if tok_s_per_user > self.fastest_tok_s:
            return None
        if tok_s_per_user <= self.slowest_tok_s:
            return self.most_output_tok_s
        requests = requests_at(self.loads, tok_s_per_user=tok_s_per_user)
        return requests * tok_s_per_user


def frontier(loads: Sequence[Load]) -> Frontier:
    """A frontier of measured loads: sorted, and without loads that are slower than a busier one.

    Raises ValueError without any load.
    """
    kept: list[Load] = []
    for load in sorted(loads):
        while kept and kept[-1].tok_s_per_user <= load.tok_s_per_user:
            kept.pop()
        kept.append(load)
    if not kept:
        raise ValueError("a frontier needs at least one measured load")
    return Frontier(tuple(kept))


def requests_at(loads: Sequence[Load], *, tok_s_per_user: float) -> float:
    """Requests per GPU at which each user gets a given speed, between measured loads.

    Formula: ITL is interpolated linearly between neighbouring loads, then inverted: n = n1 + (ITL - ITL1) · Δn/ΔITL
    Assumes: inter-token time rises with the load, as `frontier` makes sure; the speed lies within the loads.
    Source: a straight line between two measured points, the least that can be claimed.

    >>> requests_at([Load(8, 325), Load(256, 101.5625)], tok_s_per_user=325)
    8.0
    """
    times = [1 / load.tok_s_per_user for load in loads]
    wanted = 1 / tok_s_per_user
    upper = min(max(bisect_right(times, wanted), 1), len(loads) - 1)
    low, high = loads[upper - 1], loads[upper]
    part = (wanted - times[upper - 1]) / (times[upper] - times[upper - 1])
    return low.requests_per_gpu + part * (high.requests_per_gpu - low.requests_per_gpu)


def speed_at(loads: Sequence[Load], *, requests_per_gpu: float) -> float:
    """Speed per user with so many requests on a GPU, between measured loads.

    Formula: v = 1/ITL(n), ITL interpolated linearly between neighbouring loads
    Assumes: the load lies within the measured ones.
    Source: as for the requests at a speed, of which it is the inverse.

    >>> round(speed_at([Load(4, 100), Load(16, 80)], requests_per_gpu=10), 2)
    88.89
    """
    counts = [load.requests_per_gpu for load in loads]
    upper = min(max(bisect_right(counts, requests_per_gpu), 1), len(loads) - 1)
    low, high = loads[upper - 1], loads[upper]
    part = (requests_per_gpu - low.requests_per_gpu) / (high.requests_per_gpu - low.requests_per_gpu)
    return 1 / (1 / low.tok_s_per_user + part * (1 / high.tok_s_per_user - 1 / low.tok_s_per_user))
