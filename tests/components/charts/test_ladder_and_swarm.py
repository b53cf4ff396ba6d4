from __future__ import annotations

import itertools
import math
import random

import pytest

from components.charts.ladder import ELBOW, ladder
from components.charts.swarm import band, dodge


def test_labels_run_left_first_segment_highest() -> None:
    rungs = ladder([300, 340, 380], [150, 150, 150], 0, 400)
    assert [rung.position for rung in rungs] == [0, 1, 2]
    assert all(rung.runs_left for rung in rungs)


def test_those_without_room_run_right_above_the_others_last_highest() -> None:
    rungs = ladder([30, 60, 380], [200, 200, 200], 0, 700)
    assert [(rung.position, rung.runs_left) for rung in rungs] == [(1, False), (0, False), (2, True)]


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("width", [80, 300, 600])
def test_no_leader_runs_through_a_label(count: int, width: float) -> None:
    middles = [30 + 45 * i for i in range(count)]
    rungs = ladder(middles, [width] * count, -80, 540)
    assert sorted(rung.position for rung in rungs) == list(range(count))
    for row, rung in enumerate(rungs):
        middle = middles[rung.position]
        span = (middle - ELBOW - rung.room, middle) if rung.runs_left else (middle, middle + ELBOW + rung.room)
        assert rung.room > 0 and span[0] >= -80 and span[1] <= 540
        # Leaders of lower rungs come down past this one.
        assert not [below for below in rungs[row + 1 :] if span[0] < middles[below.position] < span[1]]


def test_dots_that_touch_make_room_and_others_stay() -> None:
    dots = [(10.0, 50.0), (12.0, 50.0), (14.0, 52.0), (200.0, 50.0)]
    heights = dodge(dots, 10, fixed=[(10, 55, 14)])
    places = [(x, y) for (x, _), y in zip(dots, heights, strict=True)]
    assert all(math.dist(a, b) >= 10 - 1e-9 for a, b in itertools.combinations(places, 2))
    assert all(math.dist(a, (10, 55)) >= 14 - 1e-9 for a in places[:3])
    assert heights[3] == 50
    assert heights == dodge(dots, 10, fixed=[(10, 55, 14)])


def test_a_band_keeps_its_dots_apart_while_there_is_room() -> None:
    rng = random.Random(1)
    xs = [rng.uniform(0, 300) for _ in range(80)]
    fixed = [(100.0, 0.0, 9.0)]
    places = list(zip(xs, band(xs, 5.6, 30, fixed), strict=True))
    assert all(math.dist(a, b) >= 5.6 - 1e-9 for a, b in itertools.combinations(places, 2))
    assert all(math.dist(a, (100, 0)) >= 9 - 1e-9 for a in places)


def test_a_crowded_band_stays_a_band() -> None:
    heights = band([5.0] * 500, 5.6, 20)
    assert max(map(abs, heights)) <= 20
