"""How uncertain the inputs are, and which two the break-even map shows."""

from costmodel.inputs.asked import InputGroup, ask


class RiskInputs(InputGroup):
    """The reader's low and high of inputs, the seed of the draws, the axes of the map."""

    ranges: tuple[str, ...] = ask(
        (),
        key="range",
        label="Low and high",
        help="How low and how high an input may turn out, like tps:10000:16000. Inputs not named keep the spread of "
        "the catalogue.",
    )
    seed: int = ask(
        1,
        key="seed",
        label="Seed of the draws",
        unit="any number",
        help="The same seed gives the same draws, so a shared link shows the same result.",
        ge=0,
        le=4_294_967_295,
    )
    map_across: str | None = ask(
        None, key="map_x", label="Map, across", help="The input on the map's horizontal axis.", max_length=20
    )
    map_up: str | None = ask(
        None, key="map_y", label="Map, up", help="The input on the map's vertical axis.", max_length=20
    )
