import { keptBy } from '../../lib/kept-by'
import { languages } from '../../lib/language'
import { useTranslation } from '../i18n/context'
import { CheckboxField } from './field'

/** The name of the box for a language. */
export function languageField(code: string): string {
  return `language-${code}`
}

/** Codes of the languages whose boxes are ticked. */
export function tickedLanguages(isTicked: (name: string) => boolean): readonly string[] {
  return languages.map(({ code }) => code).filter((code) => isTicked(languageField(code)))
}

export interface LanguageOption {
  readonly value: string
  readonly text: string
}

/** Codes that `Intl` takes: the others have letters where a region would be. */
const isNameable = /^[a-z]{2,3}(?:-[A-Z]{2})?$/

/** Languages by their names in the language of the reader, each with its own name. */
export function languageOptions(reader: string): readonly LanguageOption[] {
  return optionsByReader(reader, () => makeLanguageOptions(reader))
}

const optionsByReader = keptBy<readonly LanguageOption[]>()

function makeLanguageOptions(reader: string): readonly LanguageOption[] {
  const names = new Intl.DisplayNames([reader], { type: 'language', fallback: 'none' })
  const order = new Intl.Collator(reader)
  return languages
    .map(({ code, name: english, native }) => {
      const name = (isNameable.test(code) ? names.of(code) : null) ?? english
      const isSame = name.toLowerCase() === native.toLowerCase()
      return { value: code, text: isSame ? name : `${name} (${native})` }
    })
    .toSorted((a, b) => order.compare(a.text, b.text))
}

export interface LanguageChoicesProps {
  readonly legend: string
  readonly hint: string
  /** Codes; empty: all languages. */
  readonly chosen: readonly string[]
}

/** Boxes for languages, folded: the button below would else be two hundred presses of Tab away. */
export function LanguageChoices({ legend, hint, chosen }: LanguageChoicesProps) {
  const t = useTranslation()
  const options = languageOptions(t.language)
  const isChosen = ({ value }: LanguageOption) => chosen.includes(value)
  // Ticked languages come first: they must not hide far down in a long list.
  const ordered = [...options.filter(isChosen), ...options.filter((language) => !isChosen(language))]
  return (
    <fieldset aria-describedby="languages-hint">
      <legend>{legend}</legend>
      <p class="quiet small" id="languages-hint">
        {hint}
      </p>
      <details>
        <summary>
          {t(
            chosen.length === 0
              ? 'settings.preferences.allLanguages'
              : 'settings.preferences.onlySomeLanguages',
          )}
        </summary>
        <div class="choices">
          {ordered.map((language) => (
            <CheckboxField
              name={languageField(language.value)}
              label={language.text}
              isChecked={isChosen(language)}
              isOptional
            />
          ))}
        </div>
      </details>
    </fieldset>
  )
}
