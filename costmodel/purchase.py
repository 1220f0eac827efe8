"""Bought hardware: what the purchase costs a year, and what power, colocation and maintenance cost a month."""

from math import expm1, log1p

from costmodel.units import HOURS_PER_YEAR, MONTHS_PER_YEAR, PERCENT


def annuity_usd_per_year(
    *, purchase_usd: float, residual_usd: float, cost_of_capital_share: float, life_years: float
) -> float:
    """What a purchase costs in each year of its life, interest included.

    Formula: a = (I - S·(1+i)^-T) · i / (1 - (1+i)^-T), and (I - S)/T where i is 0
    Assumes: paid at the start, sold for S at the end of T years; i is the cost of capital a year; T above 0.
    Source: the usual annuity of investment appraisal; 300,000 $ at 8 % over 3 years with 30,000 $ left.

    >>> round(annuity_usd_per_year(purchase_usd=300_000, residual_usd=30_000, cost_of_capital_share=0.08,
    ...                            life_years=3), 2)
    107169.05
    """
    if cost_of_capital_share == 0:
        return (purchase_usd - residual_usd) / life_years
    # 1 - (1+i)^-T, in a way that keeps its digits where i is tiny.
    discounted = -expm1(-life_years * log1p(cost_of_capital_share))
    return (purchase_usd - residual_usd * (1 - discounted)) * cost_of_capital_share / discounted


def power_kwh(*, gpus: float, power_kw_per_gpu: float, pue: float, hours: float) -> float:
    """Electricity of bought GPUs over some hours, kWh.

    Formula: kWh = GPUs · kW per GPU · PUE · hours
    Assumes: the draw is a mean over these hours, at the wall, the server's share included; it does not fall with load.
    Source: 0.7 kW at PUE 1.3 over 730 hours, 66.43 $ at 0.10 $ (The real cost of an AI token, June 2026).

    >>> round(power_kwh(gpus=1, power_kw_per_gpu=0.7, pue=1.3, hours=730) * 0.10, 2)
    66.43
    """
    return gpus * power_kw_per_gpu * pue * hours


def colocation_kw(*, gpus: float, power_kw_per_gpu: float) -> float:
    """Power that has to be provided in the data centre, kW: what colocation is priced by.

    Formula: kW = GPUs · kW per GPU
    Source: 350 $ a month for one GPU of 0.7 kW is 500 $ per kW (The real cost of an AI token, June 2026).

    >>> colocation_kw(gpus=1, power_kw_per_gpu=0.7) * 500
    350.0
    """
    return gpus * power_kw_per_gpu


def maintenance_usd_per_month(*, purchase_usd: float, maintenance_percent_per_year: float) -> float:
    """Spare parts, service contract and insurance of bought hardware.

    Formula: purchase price · % a year / 12
    Source: a rule of thumb, see prices/assumptions.yaml.

    >>> maintenance_usd_per_month(purchase_usd=240_000, maintenance_percent_per_year=4)
    800.0
    """
    return purchase_usd * maintenance_percent_per_year / PERCENT / MONTHS_PER_YEAR


def owned_usd_per_hour(
    *,
    annuity_usd_per_year: float,
    power_kw: float,
    pue: float,
    electricity_usd_per_kwh: float,
    colocation_usd_per_kw_month: float,
    maintenance_usd_per_hour: float,
) -> float:
    """What bought hardware costs an hour, in use or not.

    Formula: annuity/8760 + kW·PUE·$/kWh + kW·colocation/730 + maintenance
    Assumes: a month is a twelfth of 8,760 hours.
    Source: an H100 at 30,000 $ over 36 months without interest, 0.7 kW, PUE 1.3, 0.10 $, a rack share of 350 $ and
    150 $ of staff cost 1,399.76 $ a month of 730 hours.

    >>> hourly = owned_usd_per_hour(annuity_usd_per_year=10_000, power_kw=0.7, pue=1.3, electricity_usd_per_kwh=0.10,
    ...                             colocation_usd_per_kw_month=500, maintenance_usd_per_hour=150 / 730)
    >>> round(hourly * 730, 2), round(hourly, 3)
    (1399.76, 1.917)
    """
    hours_per_month = HOURS_PER_YEAR / MONTHS_PER_YEAR
    return (
        annuity_usd_per_year / HOURS_PER_YEAR
        + power_kw * pue * electricity_usd_per_kwh
        + power_kw * colocation_usd_per_kw_month / hours_per_month
        + maintenance_usd_per_hour
    )
