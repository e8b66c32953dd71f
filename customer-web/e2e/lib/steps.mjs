// Acts of a journey, each of which builds on the one before.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * Makes `step(title, act)`. After a failure the rest says nothing and is skipped; what each of the people sees then is kept as a picture, named after the
 * journey and the person. `people` answers who there is by then.
 */
export function steps(journey, people) {
  let broken = false
  return (title, act) =>
    test(title, async (context) => {
      if (broken) return context.skip('an earlier act failed')
      broken = true
      try {
        await act()
        broken = false
      } catch (error) {
        for (const [name, who] of Object.entries(people()))
          await who?.page
            ?.screenshot({ path: join(tmpdir(), `candor-${journey}-${name}.png`) })
            .catch(() => {})
        throw error
      }
    })
}
