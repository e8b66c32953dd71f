// The staff who are hired once, in the data folder that most journeys begin with.
import { readFileSync, writeFileSync } from 'node:fs'
import { Member } from './desk.mjs'

const people = {
  mia: ['Mia Maker', 'finance_maker', 'Finance maker'],
  chen: ['Chen Checker', 'finance_checker', 'Finance checker'],
  lea: ['Lea Lead', 'finance_lead', 'Finance lead'],
  rick: ['Rick Risk', 'risk', 'Risk'],
  rae: ['Rae Review', 'compliance_reviewer', 'Compliance reviewer'],
  vera: ['Vera Verify', 'compliance_reviewer', 'Compliance reviewer'],
  cleo: ['Cleo Chief', 'compliance_lead', 'Compliance lead'],
  carl: ['Carl Config', 'config_admin', 'Config admin'],
  ann: ['Ann Approver', 'config_approver', 'Config approver'],
  // One super admin gives these roles alone.
  abe: ['Abe Audit', 'auditor'],
  kim: ['Kim Keller', 'support_lead'],
  lee: ['Lee Lang', 'support_agent'],
  ed: ['Ed Editor', 'content_editor'],
  pia: ['Pia Publisher', 'content_publisher'],
}

const address = (who) => `${who}@desk.example`

/** Hires everybody on a new server through the back office, and writes their cookies and authenticators to a file. */
export async function hireStaff(browser, server, file) {
  const ada = await new Member(browser, server, 'Ada Adams', address('ada')).open()
  await ada.enrol(server.firstLink)
  const bea = await ada.inviteSecond()
  const members = { ada, bea }
  for (const [who, [name, role, roleName]] of Object.entries(people)) {
    if (roleName) {
      members[who] = await ada.hire(bea, name, address(who), role, roleName)
    } else {
      members[who] = await ada.invite(name, address(who))
      await ada.giveRole(name, role)
    }
  }
  const kept = await Promise.all(
    Object.entries(members).map(async ([who, one]) => [who, await one.leave()]),
  )
  writeFileSync(file, JSON.stringify(Object.fromEntries(kept)))
}

/** Turns on that an agent takes chats, in any language; their page of the chat is open. */
export async function takeChats(member) {
  const { page } = member
  await page.getByLabel('Taking chats').check()
  await page.getByText(/New chats are assigned to you|Choose your languages/).waitFor()
  await page.getByRole('button', { name: 'Languages' }).click()
  await member.dialog().getByLabel('Any other language').check()
  await member.dialog().getByRole('button', { name: 'Save languages' }).click()
  await member.dialog().waitFor({ state: 'hidden' })
  await page.getByText('New chats are assigned to you', { exact: false }).waitFor()
}

/** Somebody who was hired before, and the cookies of the browser in which they are signed in. */
function hired(browser, server, who) {
  const kept = JSON.parse(readFileSync(process.env.E2E_STAFF, 'utf8'))[who]
  const member = new Member(browser, server, kept.name, address(who))
  return { member: Object.assign(member, { secret: kept.secret, enrolled: true }), kept }
}

/** Opens the browser of somebody who was hired before; `options` are further options of newContext. */
export async function comeToDesk(browser, server, who, options) {
  const { member, kept } = hired(browser, server, who)
  return member.open({ ...options, storageState: { cookies: kept.cookies, origins: [] } })
}

/** Opens a new browser for somebody who was hired before. */
export const comeAnew = (browser, server, who) => hired(browser, server, who).member.open()
