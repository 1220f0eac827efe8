"""A bill is the sum of its lines."""

from hypothesis import given
from hypothesis import strategies as st

from costmodel.ledger import CostLine, total_usd

amounts = st.floats(0, 1e6)


@given(st.lists(st.tuples(amounts, amounts)))
def test_a_total_is_the_sum_of_quantity_times_price(lines: list[tuple[float, float]]) -> None:
    bill = [CostLine("line", quantity, "unit", price) for quantity, price in lines]
    assert total_usd(bill) == sum(quantity * price for quantity, price in lines)


def test_an_empty_bill_is_zero() -> None:
    assert total_usd([]) == 0
