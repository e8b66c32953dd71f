// Runs a journey in steps that build on each other.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * Makes `step(title, act)`. After a failure the remaining steps are skipped, and each person's page is saved as a screenshot named after the journey and the
 * person. `people` returns the people present.
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
