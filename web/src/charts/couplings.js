// What the couplings of an optimal plan tell: how much mass leaves its component.

function squaredDistance(a, b) {
  return a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);
}

function nearest(point, ellipses) {
  let best = -1;
  let least = Infinity;
  ellipses.forEach((ellipse, j) => {
    const distance = squaredDistance(point, ellipse.centre);
    if (distance < least) [best, least] = [j, distance];
  });
  return best;
}

/** Mass-weighted share of couplings that end nearest to another component's centre. */
export function crossingShare(couplings, ellipses) {
  let crossing = 0;
  let total = 0;
  for (const [from, to, mass] of couplings) {
    total += mass;
    if (nearest(from, ellipses) !== nearest(to, ellipses)) crossing += mass;
  }
  return total > 0 ? crossing / total : 0;
}
