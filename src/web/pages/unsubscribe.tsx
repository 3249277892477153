import { Hono } from 'hono'
import type { Child } from 'hono/jsx'
import { mailKinds, notificationMail } from '../../contract/notification-kinds'
import { findMemberById } from '../../domain/users/find'
import { stopMail } from '../../domain/users/preferences'
import { readUnsubscribeToken } from '../../domain/users/unsubscribe'
import type { TextKey } from '../../lib/translate'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { Button } from '../components/button'
import { FormPage } from '../components/form-page'
import { useTranslation } from '../i18n/context'
import { showPage } from '../page'
import { openPageWith } from '../page-request'
import { paths } from '../paths'

export function unsubscribeRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(`${paths.unsubscribe}/:token`, (c) => unsubscribe(c, 'ask'))
  app.post(`${paths.unsubscribe}/:token`, (c) => unsubscribe(c, 'stop'))
  return app
}

/**
 * One-click unsubscription (RFC 8058): mail programs post to the address they were given, with no session and no
 * CSRF token, and get the page instead of a redirection. The token is all it takes, and it stops one kind only.
 */
async function unsubscribe(c: AppContext, step: 'ask' | 'stop') {
  const ctx = c.get('ctx')
  const token = c.req.param('token') ?? ''
  const subscription = await readUnsubscribeToken(ctx.config.secrets, token)
  const kind = mailKinds.find((one) => one === subscription?.kind)
  const accountId = subscription?.accountId ?? 0
  const { found: member } = await openPageWith(c, findMemberById(ctx, accountId))
  if (kind === undefined || member === null)
    return showPage(c, <UnsubscribePage mails={null} action={null} />, {
      status: 404,
    })
  if (step === 'stop') await stopMail(ctx, accountId, kind)
  const mails = { handle: `@${member.username}@${ctx.config.domain}`, topic: notificationMail(kind).topic }
  const action = step === 'ask' ? `${paths.unsubscribe}/${token}` : null
  return showPage(c, <UnsubscribePage mails={mails} action={action} />)
}

export interface UnsubscribePageProps {
  /** The recipient (`@name@host`) and the topic of the mails; null if the link is invalid. */
  readonly mails: { readonly handle: string; readonly topic: TextKey } | null
  /** Path of the form; null once it was sent. */
  readonly action: string | null
}

/** Page that the link of a mail opens. It only asks: programs that follow links must not unsubscribe their users. */
export function UnsubscribePage(props: UnsubscribePageProps) {
  const { mails, action } = props
  const t = useTranslation()
  const title =
    mails === null
      ? t('unsubscribe.linkStopsNothing')
      : t(action === null ? 'unsubscribe.unsubscribed' : 'unsubscribe.stopTheseMails')
  const after = (
    <p class="aside">
      <a href={paths.mailSettings}>{t('common.chooseWhatMailedAbout')}</a>
    </p>
  )
  return (
    <FormPage title={title} after={after}>
      <Content mails={mails} action={action} />
    </FormPage>
  )
}

function Content({ mails, action }: Pick<UnsubscribePageProps, 'mails' | 'action'>) {
  const t = useTranslation()
  if (mails === null) return <p>{t('unsubscribe.incompleteAccountGone')}</p>
  const values = {
    handle: mails.handle,
    topic: t(mails.topic),
    name: (words: Child[]) => <bdi>{words}</bdi>,
  }
  if (action === null) return <p>{t.rich('unsubscribe.handleNoLongerMailed', values)}</p>
  return (
    <>
      <p>{t.rich('unsubscribe.handleMailedAboutTopic', values)}</p>
      {/* The address is what permits it: mail programs post here too, without a session or a token of ours. */}
      <form method="post" action={action} class="form">
        <Button>{t('common.stopTheseMails')}</Button>
      </form>
    </>
  )
}
