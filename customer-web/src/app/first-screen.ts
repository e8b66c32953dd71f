// Fetches the files of the first screen while the browser evaluates the libraries, which this file must not need. The
// router loads the same screen afterwards, and handles a failure.
import { HOME_PATH, routeAt } from './routes'

const path = window.location.hash.slice(1).split('?')[0] ?? ''
const route = routeAt(path) ?? routeAt(HOME_PATH)
route?.load().catch(() => {})
