import { assetPath } from '../../lib/assets'
import { useTranslation } from '../i18n/context'
import { problemText } from '../problem-texts'
import { fieldId } from './field'

/** Proof-of-work challenge as pages carry it: data for the script alone. */
export type PageChallenge = Readonly<{ parameters: object; signature?: string }>

export interface ChallengeFieldProps {
  readonly challenge: PageChallenge
  readonly errors?: readonly string[] | undefined
}

/** Field of a form that a script (challenge.js) fills in by solving a challenge; until it runs, the field says what it needs. */
export function ChallengeField({ challenge, errors = [] }: ChallengeFieldProps) {
  const t = useTranslation()
  return (
    <div id={fieldId('challenge')} data-challenge={JSON.stringify(challenge)}>
      <input type="hidden" name="challenge" value="" />
      <p class="muted" role="status">
        {t('To keep robots out, this form gives your browser a small task. It needs JavaScript for that.')}
      </p>
      {errors.length > 0 && (
        <p class="field-error">
          <span class="visually-hidden">{t('Error:')} </span>
          {errors.map((error) => problemText(t, error)).join(' ')}
        </p>
      )}
      <script src={assetPath('challenge.js')} defer></script>
    </div>
  )
}
