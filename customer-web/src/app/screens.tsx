import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react'
import {
  type UNSAFE_createHashHistory as createHashHistory,
  type Location,
  type NavigationType,
  Router,
} from 'react-router'
import { withTexts } from '@/i18n/i18n'
import { ErrorBoundary } from './error-boundary'
import { ErrorScreen } from './error-screen'
import { guard } from './guard'
import { LoadingOverlay } from './loading-overlay'
import { Root } from './root'
import { type AppRoute, routeAt } from './routes'
import { PageShell } from './shell/page-shell'
import { TabShell } from './shell/tab-shell'

export type History = ReturnType<typeof createHashHistory>

export type ScreensProps = { history: History }

type View = { location: Location; action: NavigationType; route: AppRoute; content: ReactNode }

const shells = { tab: TabShell, page: PageShell, bare: Fragment }

/** Loads the content of a route; screens that are not light are wrapped in MUI. */
async function contentOf({ name, load, texts, light }: AppRoute): Promise<ReactNode> {
  const [{ default: Screen }, ground] = await Promise.all([
    withTexts(load, texts),
    light ? null : import('@/theme/mui-root'),
  ])
  const content = <Screen key={name} />
  return ground ? <ground.default>{content}</ground.default> : content
}

/** Shows the screen of the current address. The previous screen and address stay until the new screen is loaded. */
export function Screens({ history }: ScreensProps) {
  const [view, setView] = useState<View | null>(null)
  const [loading, setLoading] = useState(true)

  useEffect(() => {
    let turn = 0
    const open = async () => {
      const mine = ++turn
      const { location, action } = history
      const elsewhere = guard(location)
      if (elsewhere !== null) return history.replace(elsewhere)
      const route = routeAt(location.pathname)
      if (!route) return
      setLoading(true)
      const content = await contentOf(route).catch((cause) => <ErrorScreen cause={cause} />)
      if (mine !== turn) return
      startTransition(() => {
        setView({ location, action, route, content })
        setLoading(false)
      })
    }
    const stop = history.listen(open)
    void open()
    return () => {
      turn++
      stop()
    }
  }, [history])

  if (!view) return <LoadingOverlay active />
  const { location, action, route, content } = view
  const Shell = shells[route.layout]
  return (
    <Router location={location} navigationType={action} navigator={history}>
      <ErrorBoundary place={location}>
        <Root loading={loading}>
          <Shell>
            <ErrorBoundary place={location}>{content}</ErrorBoundary>
          </Shell>
        </Root>
      </ErrorBoundary>
    </Router>
  )
}
