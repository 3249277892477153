import { type AppError, Forbidden, NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { Icon } from '../../components/icon'
import { Shell, ViewHead } from '../../components/shell'
import { errorText, type PageError } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { showPage } from '../../page'
import { usePage } from '../../page-context'
import { openedVisit } from '../../page-request'

/** Says why an act was refused, and leads back to `back`. */
export async function refuse(c: AppContext, failure: AppError, back: string): Promise<Response> {
  const visit = openedVisit(c)
  if (visit === null || visit.session === null) throw failure
  const errors = { form: reasonsOf(failure) }
  const answer = await showPage(c, <RefusalPage back={back} />, { errors, status: failure.status })
  for (const [name, value] of Object.entries(failure.headers)) answer.headers.set(name, value)
  return answer
}

/** Reasons in the words of an act between two people, where the refusal has none of its own. */
export function reasonsOf(failure: AppError): readonly PageError[] {
  if (failure instanceof NotFound) return ['client.person.goneSentence']
  const isBare = failure.problems.some(({ code }) => code === 'forbidden')
  if (failure instanceof Forbidden && isBare) return ['client.person.refusedSentence']
  if (failure.problems.some(({ code }) => code === 'not_following'))
    return ['client.person.notFollowingSentence']
  return failure.status === 429 ? ['error.askedTooMuchShort'] : failure.problems
}

export function RefusalPage({ back }: { readonly back: string }) {
  const t = useTranslation()
  return (
    <Shell title={t('error.didNotWork')} place={null} isPrivate>
      <ViewHead title={t('error.didNotWork')} back={back} />
      <div class="pad">
        <Problems />
      </div>
      <p class="pad">
        <a class="button" href={back}>
          {t('directory.back')}
        </a>
      </p>
    </Shell>
  )
}

/** Reasons of a refusal, above the form, with the focus. */
export function Problems() {
  const t = useTranslation()
  const problems = [usePage().errors.form ?? []].flat()
  if (problems.length === 0) return null
  return (
    <div class="note danger" role="alert" tabindex={-1} autofocus>
      <Icon name="triangle-alert" />
      <div>{problems.map((one) => errorText(t, one)).join(' ')}</div>
    </div>
  )
}
