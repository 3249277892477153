import type { InteractionPolicy, QuotePolicy, Visibility } from '../../../db/schema/statuses'
import type { TextKey } from '../../../lib/translate'
import { Icon, type IconName } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import { visibilityLabels } from '../../visibility-labels'
import type { Typed } from './form'

/** Words of an audience: what it means, and the sentence of the composer that has it. */
interface AudienceTexts {
  readonly icon: IconName
  readonly meaning: TextKey
  readonly sentence: TextKey
}

const audiences: Readonly<Record<Visibility, AudienceTexts>> = {
  public: {
    icon: 'globe',
    meaning: 'client.audience.publicMeaning',
    sentence: 'client.audience.publicSentence',
  },
  unlisted: {
    icon: 'moon',
    meaning: 'client.audience.unlistedMeaning',
    sentence: 'client.audience.unlistedSentence',
  },
  private: {
    icon: 'lock',
    meaning: 'client.audience.privateMeaning',
    sentence: 'client.audience.privateSentence',
  },
  direct: {
    icon: 'at-sign',
    meaning: 'client.audience.directMeaning',
    sentence: 'client.audience.directSentence',
  },
}

const allVisibilities = ['public', 'unlisted', 'private', 'direct'] as const

const quoters: Readonly<Record<QuotePolicy, TextKey>> = {
  public: 'common.everyone',
  followers: 'client.yourFollowers',
  nobody: 'client.onlyYou',
}

const repliers: Readonly<Record<InteractionPolicy, TextKey>> = {
  public: 'common.everyone',
  followers: 'client.yourFollowers',
  mentioned: 'client.audience.direct',
}

/** Choices of the people who can see, quote and answer the post. The style shows the sentence of what is chosen. */
export function Audience({ typed }: { readonly typed: Typed }) {
  const t = useTranslation()
  const { visibility, quotePolicy, replyPolicy, isLocalOnly, edited } = typed
  const shown = edited === null ? allVisibilities : [visibility]
  return (
    <details class="menu" id="audience">
      <summary class="audience">
        {shown.map((value) => (
          <span class={edited === null ? `of-${value}` : ''}>
            <Icon name={audiences[value].icon} isSmall />
            {t(audiences[value].sentence)}
          </span>
        ))}
        <Icon name="chevron-down" isSmall />
      </summary>
      <div class="sheet audience-sheet start">
        {edited === null && (
          <fieldset>
            <legend>{t('client.whoCanSeeIt')}</legend>
            {allVisibilities.map((value) => (
              <label class="choice">
                <input type="radio" name="visibility" value={value} checked={value === visibility} />
                <span>
                  {t(visibilityLabels[value])}
                  <small>{t(audiences[value].meaning)}</small>
                </span>
                <Icon name={audiences[value].icon} />
              </label>
            ))}
          </fieldset>
        )}
        <div class="half">
          <Choices
            name="quote_policy"
            legend={t('client.whoCanQuoteIt')}
            texts={quoters}
            chosen={quotePolicy}
          />
          {edited === null && (
            <Choices
              name="reply_policy"
              legend={t('client.whoCanReply')}
              texts={repliers}
              chosen={replyPolicy}
            />
          )}
        </div>
        {edited === null && (
          <label class="choice">
            <input type="checkbox" name="local_only" value="1" checked={isLocalOnly} />
            <span>
              {t('client.onlyOnThisServer')}
              <small>{t('client.itIsNotSentToOther')}</small>
            </span>
          </label>
        )}
      </div>
    </details>
  )
}

interface ChoicesProps {
  readonly name: string
  readonly legend: string
  readonly texts: Readonly<Record<string, TextKey>>
  readonly chosen: string
}

function Choices({ name, legend, texts, chosen }: ChoicesProps) {
  const t = useTranslation()
  return (
    <fieldset>
      <legend>{legend}</legend>
      {Object.entries(texts).map(([value, label]) => (
        <label class="choice">
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span>{t(label)}</span>
        </label>
      ))}
    </fieldset>
  )
}
