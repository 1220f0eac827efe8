"""The traffic in time: the reader's week, and how much of it falls into each vendor's peak hours."""

from collections.abc import Sequence
from dataclasses import dataclass

from costmodel.choices import ApiChoice
from costmodel.compare import Comparison
from costmodel.dated import in_force
from costmodel.hours import clock_share, peak_share, week_peak_fractions
from costmodel.load.timed import ServedWeek, served_week, traffic_of
from costmodel.records import ApiOffer, PriceWindow
from costmodel.scenario import Scenario
from costmodel.workload import share as share_of


@dataclass(frozen=True, kw_only=True)
class PeakHours:
    """One API's peak hours on the reader's clock, and the share of the reader's tokens in them."""

    id: str
    name: str
    fractions: tuple[float, ...]
    """Of each of the 168 hours from Monday 00:00, the fraction that is peak, on the mean of the calendar's dates."""
    fractions_without_holidays: tuple[float, ...]
    peak_share: float
    """Of this traffic's tokens."""
    clock_share: float
    """Of all hours: what flat traffic would have."""
    peak_share_without_holidays: float
    """As if the vendor billed its public holidays like any other day."""
    clock_share_without_holidays: float
    holidays: tuple[str, ...]
    """Countries whose public holidays are outside the peak hours."""


@dataclass(frozen=True, kw_only=True)
class TrafficReport:
    """The week, its load factor, and the peak hours of the APIs that have any."""

    week: ServedWeek
    peaks: tuple[PeakHours, ...]
    typed_peak_share: float | None
    """The share the reader typed; it is billed in place of the traffic's own."""
    without_peaks: tuple[str, ...]
    """Names of the APIs that have one price at all hours."""


def traffic_answer(comparison: Comparison) -> TrafficReport:
    """The reader's week and each API's peak hours over it, one entry for all the price lines of an API."""
    scenario, peaks, flat = comparison.scenario, {}, []
    for api in comparison.apis:
        offer = api.quote.choice.offer if api.quote else None
        windows = windows_of(api.quote.choice, scenario) if api.quote else ()
        if offer is None or not windows:
            flat.append(api.name)
        elif offer.id not in peaks:
            peaks[offer.id] = _peak_hours(offer, windows, scenario)
    return TrafficReport(
        week=served_week(scenario, served_output_tok_s=comparison.self_host.output_tok_s),
        peaks=tuple(peaks.values()),
        typed_peak_share=None if scenario.peak_percent == "auto" else share_of(scenario.peak_percent),
        without_peaks=tuple(flat),
    )


def windows_of(choice: ApiChoice, scenario: Scenario) -> tuple[PriceWindow, ...]:
    """The price windows of an API on the price date; none where it has one price at all hours."""
    if choice.offer is None:
        return ()
    return in_force(choice.offer.entry.history, on=scenario.price_date, what=choice.name).windows


def _peak_hours(offer: ApiOffer, windows: Sequence[PriceWindow], scenario: Scenario) -> PeakHours:
    on, calendar = scenario.price_date, scenario.calendar
    traffic, clock = traffic_of(scenario), scenario.timezone
    all_year = [window.model_copy(update={"holidays": None}) for window in windows]

    def share(of: Sequence[PriceWindow]) -> float:
        return peak_share(windows=of, traffic=traffic, on=on, calendar=calendar)

    def of_all_hours(of: Sequence[PriceWindow]) -> float:
        return clock_share(windows=of, on=on, calendar=calendar, clock=clock)

    def fractions(of: Sequence[PriceWindow]) -> tuple[float, ...]:
        return week_peak_fractions(windows=of, on=on, calendar=calendar, clock=clock)

    return PeakHours(
        id=offer.id,
        name=offer.name,
        fractions=fractions(windows),
        fractions_without_holidays=fractions(all_year),
        peak_share=share(windows),
        clock_share=of_all_hours(windows),
        peak_share_without_holidays=share(all_year),
        clock_share_without_holidays=of_all_hours(all_year),
        holidays=tuple(dict.fromkeys(window.holidays for window in windows if window.holidays)),
    )
