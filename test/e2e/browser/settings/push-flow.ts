import { expect, inject } from 'vitest'
import * as z from 'zod'
import { writeDatabase } from '../../support/database'
import { origin } from '../../support/people'
import { withoutPushService } from '../../support/push-service'
import { signInTo } from '../../support/sign-in'
import { Visitor } from '../../support/visitor'
import { type Flow, pressFor } from './setting'

/** Senders whose notifications are pushed to the browsers of an account, as they are stored. */
function policiesOf(username: string): readonly string[] {
  let found: unknown = []
  writeDatabase({ folder: inject('folder') }, (database) => {
    found = database
      .prepare(
        `select policy from browser_push_subscriptions
        where account_id = (select id from accounts where username = ? and domain is null)`,
      )
      .all(username)
  })
  return z
    .array(z.object({ policy: z.string() }))
    .parse(found)
    .map(({ policy }) => policy)
}

/** Turns notifications of the browser on and off, and chooses whose are shown. */
export const browserPush: Flow = async ({ page, context, member }) => {
  await context.grantPermissions(['notifications'], { origin })
  await withoutPushService(context)
  await page.reload()
  const visitor = new Visitor()
  const listed = async () =>
    (await signInTo(visitor, member, '/oauth/authorized_applications')).text.includes('push.example')
  await pressFor(page, {
    button: 'Turn on notifications',
    notice: 'Notifications are on in this browser.',
    effect: listed,
  })
  expect(await listed()).toBe(true)
  await page.getByLabel('Show notifications from').selectOption('People I follow')
  await pressFor(page, {
    button: 'Save',
    notice: 'Your choices for this browser are saved.',
    effect: async () => policiesOf(member.username),
  })
  expect(policiesOf(member.username)).toEqual(['followed'])
  await pressFor(page, {
    button: 'Turn off notifications',
    notice: 'Notifications are off in this browser.',
    effect: listed,
  })
  expect(await listed()).toBe(false)
}
