import { errorText } from '../error-texts'
import { useTranslation } from '../i18n/context'
import { usePage } from '../page-context'
import { Icon } from './icon'

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
