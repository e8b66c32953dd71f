// Runs in the page before the app: counts what React renders, through the hook that React keeps for developer tools. The app itself is the one that is shipped.

/** Counts the components rendered in rows on screen, in rows off screen, and outside of all rows. */
export function watchRenders() {
  const COMPONENTS = new Set([0, 1, 11, 14, 15])
  const HOST = 5
  const PERFORMED_WORK = 1
  const counts = { commits: 0, visible: 0, offScreen: 0, elsewhere: 0 }
  const names = new Map()

  const hostBelow = (fiber) => {
    let one = fiber
    while (one && one.tag !== HOST) one = one.child
    return one?.stateNode
  }
  const hostAbove = (fiber) => {
    let one = fiber
    while (one && one.tag !== HOST) one = one.return
    return one?.stateNode
  }
  const rowOf = (fiber) => {
    const own = hostBelow(fiber)
    if (own?.matches('main li, main tbody tr')) return own
    return hostAbove(fiber)?.closest('main li, main tbody tr')
  }
  const count = (fiber) => {
    const row = rowOf(fiber)
    const box = row?.getBoundingClientRect()
    const where = !box
      ? 'elsewhere'
      : box.bottom > 0 && box.top < innerHeight
        ? 'visible'
        : 'offScreen'
    counts[where] += 1
    if (where === 'visible') return
    const name = `${where} ${fiber.type?.name || fiber.type?.type?.name || '?'}`
    names.set(name, (names.get(name) ?? 0) + 1)
  }
  const walk = (fiber, before) => {
    if (COMPONENTS.has(fiber.tag) && (!before || fiber.flags & PERFORMED_WORK)) count(fiber)
    if (before && fiber.child === before.child) return
    for (let child = fiber.child; child; child = child.sibling) walk(child, child.alternate)
  }
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount() {},
    onCommitFiberRoot(_, root) {
      counts.commits += 1
      walk(root.current, root.current.alternate)
    },
  }
  window.benchRenders = {
    start() {
      for (const key of Object.keys(counts)) counts[key] = 0
      names.clear()
    },
    stop: () => ({ ...counts, names: Object.fromEntries(names) }),
  }
}
