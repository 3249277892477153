import type { AppContext } from '../ports/app-env'
import { Button, ButtonLink } from './components/button'
import { Layout } from './components/layout'
import { isSecretField } from './components/typed-values'
import { actingAs, csrfTokenFor, type OtherAccountForm } from './csrf'
import { useTranslation } from './i18n/context'
import { isKeepable, keepDraft } from './member-pages/draft'
import { showPage } from './page'
import { openedVisit } from './page-request'
import { SwitchForm } from './pages/accounts/view'
import { addAccountPath, paths } from './paths'
import { returnToOf } from './return-to'

/**
 * Answers a form of a page that another account opened: nothing was done, and the way on is a switch to that account, with what was
 * typed. Null before the visit is known.
 */
export async function showOtherAccount(
  c: AppContext,
  { sent: { opened, active, fields } }: OtherAccountForm,
): Promise<Response | null> {
  const visit = openedVisit(c)
  if (visit === null) return null
  const back = backTo(c, fields)
  const kept = {
    path: back,
    action: c.req.path,
    names: Object.keys(fields).filter((name) => !isSecretField(name) && !ofPage.has(name)),
    form: (name: string) => (name === actingAs ? opened : (fields[name] ?? '')),
  }
  const isHere = visit.slots.some(({ username }) => username === opened)
  // A button of a post has nothing that was typed.
  const texts = kept.names.map((name) => fields[name] ?? '').filter((text) => /\s/.test(text.trim()))
  const isKept = texts.length > 0 && (isHere ? await isKeepable(kept) : await keepDraft(c, kept))
  const typed = Object.fromEntries(kept.names.map((name) => [name, fields[name] ?? '']))
  const page = {
    opened,
    active,
    back,
    isHere,
    texts,
    isKept,
    action: c.req.path,
    fields: JSON.stringify(typed),
  }
  return showPage(c, <OtherAccountPage {...page} />, { csrfToken: await csrfTokenFor(c, visit), status: 409 })
}

/** Fields that belong to the page and not to what was typed. */
const ofPage: ReadonlySet<string> = new Set(['csrf_token', 'key', 'press', 'return_to', actingAs])

/** The page that the form stood on, as the form or the browser names it. */
function backTo(c: AppContext, fields: Readonly<Record<string, string>>): string {
  const named = returnToOf(c, fields['return_to']?.split('#')[0])
  if (named !== null) return named
  const referrer = URL.parse(c.req.header('referer') ?? '')
  const from = referrer === null ? null : returnToOf(c, referrer.pathname + referrer.search)
  // The composer in place sends its text to the whole one.
  if (c.req.path === paths.publish) return from?.startsWith(paths.publish) === true ? from : paths.publish
  return from ?? paths.home
}

export interface OtherAccountPageProps {
  /** Name of the account that opened the page of the form, and of the one that is active. */
  readonly opened: string
  readonly active: string
  /** Whether this browser is signed in to the account that opened it. */
  readonly isHere: boolean
  readonly back: string
  /** Typed texts, to be read and copied. */
  readonly texts: readonly string[]
  /** Whether the switch takes it along. */
  readonly isKept: boolean
  readonly action: string
  readonly fields: string
}

/** Says that a form was sent by a page of another account, and leads on with it. */
export function OtherAccountPage(props: OtherAccountPageProps) {
  const t = useTranslation()
  const { isHere, back, texts, isKept, action, fields } = props
  const [opened, active] = [`@${props.opened}`, `@${props.active}`]
  return (
    <Layout title={t('accounts.anotherIsActiveTitle')} hasSide={false} isPrivate>
      <section class="block" role="alert">
        <p>{t('accounts.openedByOther', { opened, active })}</p>
        {!isHere && <p>{t('accounts.isNoLongerHere', { name: opened })}</p>}
        <p class="quiet">{t('accounts.nothingDone')}</p>
        {texts.length > 0 && (
          <>
            <p>{isKept ? t('accounts.textIsKept') : t('accounts.copyText')}</p>
            {texts.map((text, index) => (
              <div class="field">
                <label for={`text-${index}`}>{t('accounts.yourText')}</label>
                <textarea class="area" id={`text-${index}`} rows={6} readonly dir="auto">
                  {text}
                </textarea>
              </div>
            ))}
          </>
        )}
        <div class="actions">
          {isHere ? (
            <SwitchForm
              acct={props.opened}
              returnTo={back}
              {...(isKept ? { typed: { fields, action } } : {})}
            >
              <Button>{t('accounts.switchAndGoOn', { name: opened })}</Button>
            </SwitchForm>
          ) : (
            <ButtonLink href={addAccountPath(back)}>{t('accounts.signInAs', { name: opened })}</ButtonLink>
          )}
          <ButtonLink look="secondary" href={paths.home}>
            {t('accounts.goOnAs', { name: active })}
          </ButtonLink>
        </div>
      </section>
    </Layout>
  )
}
