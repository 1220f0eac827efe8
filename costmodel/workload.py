"""How many tokens, and of which kind."""

from costmodel.units import PERCENT, SECONDS_PER_HOUR, TOKENS_PER_MTOK


def output_mtok(*, output_tok_s: float, hours: float) -> float:
    """Output of a constant rate over some hours, in Mtok (1,000,000 tokens).

    Formula: Mtok = tok/s · 3,600 · hours / 1,000,000
    Assumes: the same hours are used for the tokens and for the rent.
    Source: pikas.systems, September 2026: 300 tok/s over 730 hours are 788 million output tokens.

    >>> output_mtok(output_tok_s=300, hours=730)
    788.4
    """
    return output_tok_s * SECONDS_PER_HOUR * hours / TOKENS_PER_MTOK


def uncached_input_per_output(*, input_per_output: float, own_cached_share: float) -> float:
    """Input tokens the own deployment has to prefill for each output token, q.

    Formula: q = r · (1 - h_own)
    Assumes: cached input is a part of the input, and costs no prefill.
    Source: DeepSeek's deployment notes keep cached prefixes in a KV store (tokely.me, 25 October 2026).

    >>> uncached_input_per_output(input_per_output=4, own_cached_share=0.5)
    2.0
    """
    return input_per_output * (1 - own_cached_share)


def price_per_token_of_either_kind(*, usd_per_bundle: float, input_per_output: float) -> float:
    """A bundle price (1M output tokens with their input) as a price per 1M tokens of either kind.

    Formula: price per 1M tokens = bundle price / (1 + r)
    Assumes: nothing; it only spreads the same money over input and output alike.
    Source: definition.

    >>> price_per_token_of_either_kind(usd_per_bundle=1.20, input_per_output=4)
    0.24
    """
    return usd_per_bundle / (1 + input_per_output)


def share(percent: float) -> float:
    """A percentage as a fraction.

    >>> share(60)
    0.6
    """
    return percent / PERCENT
