import type { IconName } from '@/ui/icons/icon-shapes'

type EventLook = {
  icon: IconName
  /** The trader should check that it was them. */
  alarm?: true
}

const looks: Record<string, EventLook> = {
  register: { icon: 'user' },
  login: { icon: 'device' },
  new_device: { icon: 'device', alarm: true },
  refuse_login: { icon: 'close', alarm: true },
  refuse_code: { icon: 'close', alarm: true },
  refuse_factor: { icon: 'close', alarm: true },
  end_moved_session: { icon: 'logout', alarm: true },
  end_session: { icon: 'logout' },
  end_sessions: { icon: 'logout' },
  remove_device: { icon: 'logout' },
  remove_other_devices: { icon: 'logout' },
  change_password: { icon: 'lock' },
  reset_password: { icon: 'lock', alarm: true },
  send_password_reset: { icon: 'send' },
  set_payment_password: { icon: 'lock' },
  change_payment_password: { icon: 'lock' },
  reset_payment_password: { icon: 'lock', alarm: true },
  lock_payment_password: { icon: 'lock', alarm: true },
  set_authenticator: { icon: 'key' },
  remove_authenticator: { icon: 'key', alarm: true },
  add_passkey: { icon: 'key' },
  rename_passkey: { icon: 'key' },
  remove_passkey: { icon: 'key', alarm: true },
  new_recovery_codes: { icon: 'key' },
  use_recovery_code: { icon: 'key', alarm: true },
  change_contact: { icon: 'mail', alarm: true },
  grant_contact: { icon: 'mail', alarm: true },
  reset_factor: { icon: 'key', alarm: true },
  set_phrase: { icon: 'mail' },
  remove_phrase: { icon: 'mail' },
  hold: { icon: 'clock' },
  freeze: { icon: 'shield', alarm: true },
  restrict: { icon: 'shield' },
  lift: { icon: 'shield' },
}

/** How a kind of security event is shown; the server may know kinds that this version of the app doesn't. */
export function eventLook(kind: string): EventLook {
  return looks[kind] ?? { icon: 'info' }
}
