"""Formulas: what is shown on one line means what the LaTeX means; prices, code and broken formulas stay as they are."""

from __future__ import annotations

import pytest

from carrel.model.formulas import readable, unicode_of


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\frac{a+b}{c+d}", "(a+b)/(c+d)"),
        (r"\frac{x}{2a}", "x/(2a)"),
        (r"\frac12", "1/2"),
        (r"\dfrac{dy}{dx}", "dy/dx"),
        (r"\frac{1}{1+\frac{1}{x}}", "1/(1+1/x)"),
        (r"\frac{\text{Total cost}}{\text{Units sold} + 1}", "(Total cost)/(Units sold + 1)"),
        (r"\frac{P(B|A)P(A)}{P(B)}", "P(B|A)P(A)/P(B)"),
        (r"\frac{-b \pm \sqrt{b^2-4ac}}{2a}", "(-b ± √(b²-4ac))/(2a)"),
        ("2^{n+1}", "2ⁿ⁺¹"),
        ("x_{i+1}", "xᵢ₊₁"),
        ("x_1^2", "x₁²"),
        ("mc^2", "mc²"),
        ("10^{-3}", "10⁻³"),
        (r"T_\text{max}", "Tₘₐₓ"),
        (r"e^{-\frac{x^2}{2}}", "e^(-x²/2)"),
        ("x_{1,2}", "x_(1,2)"),
        (r"a^\infty", "a^∞"),
        (r"x^\prime = 90^\circ", "x′ = 90°"),
        ("x^{*}", "x*"),
        (r"\sum_{i=1}^{n} x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        (r"\sqrt[3]{x}", "³√x"),
        (r"\sqrt{ab}", "√(ab)"),
        (r"\binom{n}{k}", "C(n, k)"),
        (r"\operatorname{Var}(X)\boxed{42}", "Var(X)42"),
        (r"\alpha\leq\beta", "α ≤ β"),
        (r"\begin{aligned} a &= b \\ c &= d \end{aligned}", "a = b; c = d"),
        (r"\begin{cases} 1 & x>0 \\ 0 & x \le 0 \end{cases}", "1, x > 0; 0, x ≤ 0"),
        (r"\begin{pmatrix} a & b \\ c & d_1 \end{pmatrix}", "[ a b; c d₁ ]"),
        (r"\begin{matrix} a & b \\ c & d \end{matrix}", "a b; c d"),
        (r"\begin{vmatrix} a & b \\ c & d \end{vmatrix}", "|a b; c d|"),
        (r"a\_b", "a_b"),
    ],
)
def test_it_is_shown_as_what_it_means(source: str, shown: str) -> None:
    assert unicode_of(source) == shown


@pytest.mark.parametrize("source", ["x^", r"\frac{1}", r"\sqrt", r"\begin{aligned}", "{"])
def test_what_cannot_be_read_stays_as_it_is(source: str) -> None:
    assert readable(f"So $${source}$$.") == f"So $${source}$$."


def test_a_formula_whose_letters_are_many_takes_no_time_without_end() -> None:
    assert unicode_of(r"\frac{" + "a" * 1500 + "+}{b}") == "(" + "a" * 1500 + "+)/b"


@pytest.mark.parametrize("text", ["It costs $5 or $10.", r"`$\pi$` is code", "a\\*b", "no formula at all"])
def test_prices_and_code_stay(text: str) -> None:
    assert readable(text) == text


def test_what_is_shown_is_no_markup() -> None:
    assert readable(r"By $x_{1,2}$ and \(a^{*}b^{*}\).") == r"By x\_(1,2) and a\*b\*."
