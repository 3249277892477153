import { type AppError, Forbidden, NotFound } from '../../../errors'
import type { AppContext } from '../../../ports/app-env'
import { Problems } from '../../components/problems'
import { Shell, ViewHead } from '../../components/shell'
import type { PageError } from '../../error-texts'
import { useTranslation } from '../../i18n/context'
import { showInShell } from '../../member-view'
import { openedVisit } from '../../page-request'

/** Says why an act was refused, and leads back to `back`. */
export async function refuse(
  c: AppContext,
  failure: AppError,
  back: string,
  reasons: (failure: AppError) => readonly PageError[] = reasonsOf,
): Promise<Response> {
  const visit = openedVisit(c)
  if (visit === null || visit.session === null) throw failure
  const errors = { form: reasons(failure) }
  const answer = await showInShell(c, visit, <RefusalPage back={back} />, { errors, status: failure.status })
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
