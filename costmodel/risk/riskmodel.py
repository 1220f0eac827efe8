"""The comparison over the term for thousands of sets of inputs at once.

It uses the equations of the comparison on arrays; where they ask questions of a number, the same formula stands here.
The tests hold it to compare(), input by input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from costmodel.api import Quote, TokenMix, quote, quote_usd_per_bundle
from costmodel.catalog import Catalog
from costmodel.compare import ApiAnswer, Comparison, compare, terms_of, vat_share
from costmodel.load.demand_answer import planning_limit_of
from costmodel.machine.prefill import kv_store_gb
from costmodel.purchase import colocation_kw, maintenance_usd_per_month, power_kwh
from costmodel.risk.outcome import compared_apis, fill_of, gpu_prices_move, is_hourly, load_of, served_share
from costmodel.risk.overterm import ApiMonth, MeanMonth, Numbers, Outlook, OwnMonth, mean_month
from costmodel.risk.ranges import API_PRICE
from costmodel.risk.settled import DISCOUNT_OF, settled
from costmodel.risk.weekfill import WeekFill
from costmodel.scenario import INPUTS, Scenario
from costmodel.selfhost import rent_usd
from costmodel.serving import capacity_of_shared_pool, decode_capacity
from costmodel.units import MONTHS_PER_YEAR, PERCENT
from costmodel.workload import share, uncached_input_per_output

Values = Mapping[str, Numbers]
"""Inputs that differ from the scenario's, by link key, in link units; arrays of shapes that broadcast."""


@dataclass(frozen=True, kw_only=True)
class _Api:
    """What one API's price is made of."""

    mean: Quote
    off_peak: Quote
    at_peak: Quote
    token_peak_share: float
    is_hourly: bool
    fill: WeekFill
    flat_fill: WeekFill


@dataclass(frozen=True, kw_only=True)
class RiskModel:
    """Everything about a scenario that does not change from draw to draw."""

    scenario: Scenario
    """Settled: every uncertain input is a typed number."""
    comparison: Comparison
    billed_gpus: Mapping[str, int]
    """Of one unit, by the key of the pool's price."""
    demand_per_typed: float
    """Mean demand over the typed one, which may be that of the busiest hour."""
    planning_limit: float
    gpu_prices_move: bool
    apis: tuple[_Api, ...]

    def month(self, values: Values, *, units: Numbers = None) -> MeanMonth:
        """The mean month of the term for each set of values. With `units`, the same demand meets another fleet.

        Raises nothing for values out of bounds: whoever gives them keeps to the bounds of the inputs.
        """
        own, outlook = self._own(values, units), self._outlook(values)
        prices = [self._price(api, values) for api in self.apis]
        means = np.broadcast_arrays(*(price.usd_per_bundle for price in prices))
        cheapest = np.argmin(np.stack(means), axis=0)
        chosen = np.unique(cheapest)
        if chosen.size == 1:
            return mean_month(own, prices[int(chosen[0])], outlook)
        months = {int(each): mean_month(own, prices[int(each)], outlook) for each in chosen}
        return MeanMonth(**{name: _pick(cheapest, months, name) for name in MeanMonth.__dataclass_fields__})

    def utilization(self) -> float:
        """Output the rented units deliver over what they can, at the scenario's demand of today."""
        own, fill = self._own({}, None), self.apis[0].fill
        return float(served_share(own, fill) * own.demand_tok_s / own.capacity_tok_s)

    def token_peak_share(self) -> float | None:
        """Share of the tokens in the peak hours of the first API that has any."""
        return next(
            (
                api.mean.peak_share
                for api in self.apis
                if api.mean.choice.window is None and api.mean.peak_share is not None
            ),
            None,
        )

    def _value(self, values: Values, key: str) -> Numbers:
        return values[key] if key in values else getattr(self.scenario, INPUTS[key].name)

    def _share(self, values: Values, key: str) -> Numbers:
        return self._value(values, key) / PERCENT

    def _own(self, values: Values, units: Numbers) -> OwnMonth:
        value, scenario = self._value, self.scenario
        rented = scenario.units
        fleet = rented if units is None else units
        lost = self._share(values, "spot_lost") if scenario.acquire == "spot" else 0.0
        hours = scenario.hours_per_month * (1 - lost)
        paid_units = fleet + scenario.spare_units
        gpus = sum(self.billed_gpus.values()) * paid_units
        gpu_usd = self._gpu_usd(values, hours, paid_units)
        per_gpu = value(values, "network") + value(values, "support")
        other_usd = gpus * per_gpu + self._once_usd(values)
        if scenario.kv_store_tb_per_gpu:
            gigabytes = kv_store_gb(gpus=gpus, tb_per_gpu=scenario.kv_store_tb_per_gpu)
            other_usd = other_usd + gigabytes * value(values, "kv_usd")
        capacity = self._unit_capacity_tok_s(values)
        if "util" in values or (scenario.demand_output_tok_s is None and "demand" not in values):
            demand = capacity * rented * self._share(values, "util")
        else:
            demand = value(values, "demand") * self.demand_per_typed
        follows = self.gpu_prices_move and "reserve_off" not in values
        return OwnMonth(
            gpu_usd=gpu_usd if follows else 0.0,
            other_usd=other_usd if follows else other_usd + gpu_usd,
            demand_tok_s=demand,
            usable_tok_s=capacity * fleet * self.planning_limit,
            capacity_tok_s=capacity * fleet,
            hours=hours,
        )

    def _gpu_usd(self, values: Values, hours: Numbers, paid_units: Numbers) -> Numbers:
        value, acquire = self._value, self.scenario.acquire
        if acquire == "buy" and "reserve_off" not in values:
            gpus = sum(self.billed_gpus.values()) * paid_units
            power = {"gpus": gpus, "power_kw_per_gpu": value(values, "kw")}
            price = value(values, "capex")
            return (
                gpus * self._purchase_usd_per_month(values)
                + gpus
                * maintenance_usd_per_month(purchase_usd=price, maintenance_percent_per_year=value(values, "maint"))
                + power_kwh(**power, pue=value(values, "pue"), hours=hours) * value(values, "kwh")
                + colocation_kw(**power) * value(values, "colo")
            )
        discount = "reserve_off" if "reserve_off" in values else DISCOUNT_OF.get(acquire)
        off = 0.0 if discount is None else self._share(values, discount)
        return sum(
            rent_usd(gpus=gpus * paid_units, usd_per_gpu_hour=value(values, key) * (1 - off), hours=hours)
            for key, gpus in self.billed_gpus.items()
        )

    def _purchase_usd_per_month(self, values: Values) -> Numbers:
        """annuity_usd_per_year of purchase.py, for arrays: at no interest it is the price spread evenly."""
        rate, years = self._share(values, "wacc"), self._value(values, "life") / MONTHS_PER_YEAR
        grown = np.log1p(rate) * years
        left = np.exp(-grown)
        with np.errstate(invalid="ignore", divide="ignore"):
            factor = np.where(rate == 0, 1 / years, rate / -np.expm1(-grown))
        price = self._value(values, "capex")
        return price * (1 - self._share(values, "residual") * left) * factor / MONTHS_PER_YEAR

    def _once_usd(self, values: Values) -> Numbers:
        value = self._value
        staff = value(values, "staff") * value(values, "staff_usd") / MONTHS_PER_YEAR
        return (
            staff / (1 + vat_share(self.scenario))
            + value(values, "storage") * value(values, "storage_usd")
            + value(values, "egress") * value(values, "egress_usd")
            + value(values, "setup") / value(values, "term")
        )

    def _unit_capacity_tok_s(self, values: Values) -> Numbers:
        scenario, rate = self.scenario, self._value(values, "prefill_tps")
        output_tok_s, efficiency = self._value(values, "tps"), self._share(values, "eff")
        q = uncached_input_per_output(
            input_per_output=self._value(values, "ratio"), own_cached_share=self._share(values, "own_cached")
        )
        decode = decode_capacity(gpus=scenario.gpus, output_tok_s_per_gpu=output_tok_s, efficiency=efficiency)
        if rate is None:
            return decode
        if scenario.prefill_gpus is None:
            return capacity_of_shared_pool(
                gpus=scenario.gpus,
                output_tok_s_per_gpu=output_tok_s,
                input_tok_s_per_gpu=rate,
                efficiency=efficiency,
                uncached_input_per_output=q,
            ).output_tok_s
        read = self._share(values, "prefill_eff") * scenario.prefill_gpus * rate
        with np.errstate(divide="ignore"):
            return np.minimum(decode, np.divide(read, q))

    def _price(self, api: _Api, values: Values) -> ApiMonth:
        mix = TokenMix(
            input_per_output=self._value(values, "ratio"),
            cached_share=self._share(values, "cached"),
            cache_write_share=share(self.scenario.cache_write_percent),
        )
        level = self._share(values, API_PRICE) if API_PRICE in values else 1.0
        off_peak = quote_usd_per_bundle(api.off_peak, mix) * level
        extra = quote_usd_per_bundle(api.at_peak, mix) * level - off_peak
        if api.is_hourly and "peak" not in values:
            return ApiMonth(
                usd_per_bundle=off_peak + api.token_peak_share * extra,
                off_peak_usd_per_bundle=off_peak,
                peak_extra_usd_per_bundle=extra,
                fill=api.fill,
            )
        of_peak = self._share(values, "peak") if "peak" in values and api.mean.choice.window is None else None
        mean = quote_usd_per_bundle(api.mean, mix) * level if of_peak is None else off_peak + of_peak * extra
        return ApiMonth(
            usd_per_bundle=mean, off_peak_usd_per_bundle=mean, peak_extra_usd_per_bundle=0.0, fill=api.flat_fill
        )

    def _outlook(self, values: Values) -> Outlook:
        return Outlook(
            months=self.scenario.term_months or 1,
            growth_share=self._share(values, "growth"),
            api_fall_share=self._share(values, "api_drop"),
            gpu_fall_share=self._share(values, "gpu_drop"),
            yearly_rate_share=self._share(values, "wacc"),
        )


def risk_model(catalog: Catalog, comparison: Comparison) -> RiskModel:
    """What of a comparison stays the same whatever is uncertain. Raises NoDemandError where no API has a price."""
    scenario = settled(catalog, comparison)
    base = compare(catalog, scenario)
    typed, mean = scenario.demand_output_tok_s, load_of(base).mean_output_tok_s
    keys = ("gpu_usd",) if scenario.prefill_gpu is None else ("prefill_gpu_usd", "gpu_usd")
    terms = terms_of(scenario)

    def at_peak_share(api: ApiAnswer, part: float) -> Quote:
        assert api.quote is not None
        return quote(api.quote.choice, replace(terms, peak_share=lambda _: part))

    def of(api: ApiAnswer) -> _Api:
        assert api.quote is not None
        return _Api(
            mean=api.quote,
            off_peak=at_peak_share(api, 0.0),
            at_peak=at_peak_share(api, 1.0),
            token_peak_share=api.peak_share or 0.0,
            is_hourly=is_hourly(base, api),
            fill=fill_of(base, api, hourly=is_hourly(base, api)),
            flat_fill=fill_of(base, api, hourly=False),
        )

    return RiskModel(
        scenario=scenario,
        comparison=base,
        billed_gpus={key: pool.billed_gpus for key, pool in zip(keys, base.self_host.pools, strict=True)},
        demand_per_typed=1.0 if typed is None else mean / typed,
        planning_limit=planning_limit_of(base),
        gpu_prices_move=gpu_prices_move(base),
        apis=tuple(of(api) for api in compared_apis(base)),
    )


def _pick(cheapest: Any, months: Mapping[int, MeanMonth], name: str) -> Any:
    """Each draw's figure from the month of the API that is its cheapest."""
    figures = {each: getattr(month, name) for each, month in months.items()}
    shape = np.broadcast_shapes(cheapest.shape, *(np.shape(figure) for figure in figures.values()))
    picked = np.empty(shape)
    for each, figure in figures.items():
        np.copyto(picked, figure, where=np.broadcast_to(cheapest == each, shape))
    return picked
