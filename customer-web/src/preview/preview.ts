// The preview of content in the back office, which is on the trader app's own host: it neither reads what a trader's app in the same browser keeps, nor keeps
// anything itself. That holds before any module of the app runs.
import { keepNothing } from './keep-nothing'

keepNothing(window)
void import('./show-draft')
