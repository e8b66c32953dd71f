// The script of the back office. Behaviour hangs on data- attributes, so swapped markup works
// without being told; every listener sits on the document.
import './admin.css'
import 'htmx.org'
import 'idiomorph/htmx'

import { startAlerts } from './alerts'
import { startCalls } from './calls'
import { startChanges } from './changes'
import { startChat } from './chat'
import { startClocks } from './clock'
import { tellDevice } from './device'
import { startDialogs } from './dialog'
import { startFields } from './field'
import { startFlash } from './flash'
import { startKeys } from './keys'
import { startLive } from './live'
import { startLooks } from './looks'
import { startMargins } from './margin'
import { startMentions } from './mentions'
import { startOnce } from './once'
import { startOrder } from './order'
import { startPanes } from './panes'
import { startPasskeys } from './passkey'
import { startPicker } from './picker'
import { startPrint } from './print'
import { startRefusals } from './refusal'
import { startReviews } from './review'
import { startSecond } from './second'
import { startTheme } from './theme'
import { startUnsaved } from './unsaved'
import { startViewers } from './viewer'
import { tellZone } from './zone'

tellZone()
tellDevice()
startTheme()
startPasskeys()
startDialogs()
startChat()
startAlerts()
startCalls()
startChanges()
startKeys()
startMargins()
startMentions()
startOnce()
startRefusals()
startFields()
startFlash()
startClocks()
startPanes()
startViewers()
startReviews()
startSecond()
startLooks()
startOrder()
startUnsaved()
startPicker()
startPrint()
startLive()
