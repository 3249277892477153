import type { AppContext } from '../ports/app-env'
import { Button } from './components/button'
import { PostForm } from './components/form'
import { Layout } from './components/layout'
import { isSecretField } from './components/typed-values'
import { actingAs, csrfTokenFor, type ExpiredForm } from './csrf'
import { useTranslation } from './i18n/context'
import { type KeptForm, keepDraft } from './member-pages/draft'
import { showPage } from './page'
import { openedVisit, type PageRequest } from './page-request'
import { signInPath } from './paths'
import { toSignIn } from './return-to'

/**
 * Answers a form whose session has ended: what was typed is kept over the sign-in. Where it is too long for that, it is shown in a form
 * that is sent again after signing in in another tab.
 */
export async function keepUntilSignIn(c: AppContext, visit: PageRequest, kept: KeptForm): Promise<Response> {
  if (await keepDraft(c, kept)) return toSignIn(c, kept.path)
  const names = [...new Set([...kept.names, 'press', actingAs])]
  const fields = Object.fromEntries(names.map((name) => [name, kept.form(name)]))
  return showUnsent(c, visit, { action: kept.action, fields, signIn: signInPath(kept.path) })
}

/** Shows what an expired form said, to be sent again. Null for a form without a text, and before the visit is known. */
export async function showExpiredForm(c: AppContext, { fields }: ExpiredForm): Promise<Response | null> {
  const visit = openedVisit(c)
  const isText = ([name, text]: [string, string]) => !isSecretField(name) && /\s/.test(text.trim())
  if (visit === null || !Object.entries(fields).some(isText)) return null
  return showUnsent(c, visit, { action: c.req.path, fields, signIn: null })
}

async function showUnsent(c: AppContext, visit: PageRequest, { fields, ...unsent }: UnsentFormProps) {
  const shown = Object.entries(fields).filter(([name, text]) => text !== '' && !isSecretField(name))
  const page = <UnsentFormPage {...unsent} fields={Object.fromEntries(shown)} />
  return showPage(c, page, {
    csrfToken: await csrfTokenFor(c, visit),
    status: unsent.signIn === null ? 422 : 409,
  })
}

export interface UnsentFormProps {
  readonly action: string
  /** Fields of the form by their names. */
  readonly fields: Readonly<Record<string, string>>
  /** Address of the sign-in; null for a member who is signed in. */
  readonly signIn: string | null
}

/** Characters from which a text is shown to be read and changed, and not only sent along. */
const leastShown = 100

/** Says that a form was not sent, and shows what was typed in a form that sends it. */
export function UnsentFormPage({ action, fields, signIn }: UnsentFormProps) {
  const t = useTranslation()
  const entries = Object.entries(fields)
  const isShown = ([, text]: [string, string]) => text.length >= leastShown || text.includes('\n')
  return (
    <Layout title={t('form.notSentYet')} hasSide={false} isPrivate>
      <section class="block" role="alert" data-unsent>
        <p>{signIn === null ? t('form.expiredTextStays') : t('form.signedOutTextStays')}</p>
        {signIn !== null && (
          <p>
            {t.rich('form.signInInNewTab', {
              link: (words) => (
                <a href={signIn} target="_blank" rel="noopener">
                  {words}
                </a>
              ),
            })}
          </p>
        )}
      </section>
      <section class="block" aria-label={t('accounts.yourText')}>
        <PostForm action={action} hidden={Object.fromEntries(entries.filter((entry) => !isShown(entry)))}>
          {entries.filter(isShown).map(([name, text]) => (
            <div class="field">
              <label for={`text-${name}`}>{t('accounts.yourText')}</label>
              <textarea class="area" id={`text-${name}`} name={name} rows={6} dir="auto">
                {text}
              </textarea>
            </div>
          ))}
          <Button>{t('form.sendAgain')}</Button>
        </PostForm>
      </section>
    </Layout>
  )
}
