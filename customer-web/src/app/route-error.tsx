import { useRouteError } from 'react-router'
import { ErrorScreen } from './error-screen'

/** Takes the place of a screen that cannot be loaded, or that broke, until the next navigation. */
export function RouteError() {
  return <ErrorScreen cause={useRouteError()} />
}
