/** How the account stands, and how it would after an order; fetched once the terminal is there. */
export { AccountBar } from './account-bar'
export { CloseOnlyTicket } from './close-only-ticket'
export { OrderCosts } from './order-costs'
export { StopOutLine } from './stop-out-line'
export { TicketFoot } from './ticket-foot'
export { TicketOutlook } from './ticket-outlook'
export { VolumeShares } from './volume-shares'
