import type { Child } from 'hono/jsx'
import { errorText } from '../error-texts'
import { useTranslation } from '../i18n/context'
import { useFieldErrors, useTicked, useTypedText } from './typed-values'

export function fieldId(name: string): string {
  return `field-${name}`
}

interface FieldBasics {
  readonly name: string
  readonly label: string
  readonly hint?: Child
}

export interface TextFieldProps extends FieldBasics {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local'
  readonly value?: string
  /** Shown at the end of the field, e.g. the domain behind a user name. */
  readonly suffix?: string
  readonly autocomplete: string
  readonly inputmode?: 'text' | 'email' | 'numeric'
  readonly isOptional?: boolean
  /** Filter of a list, usually empty, so not marked as optional. */
  readonly isFilter?: boolean
  readonly minlength?: number
  readonly maxlength?: number
  readonly pattern?: string
  readonly max?: string
  /** Text in a language rather than a name or a code. */
  readonly isProse?: boolean
}

/**
 * Input for a line of text. Names, addresses and codes are never capitalised or spell-checked. Attributes that do
 * nothing for a type are left out.
 */
export function TextField(props: TextFieldProps) {
  const { name, type = 'text', suffix, isOptional = false, isFilter = false, isProse = false } = props
  const value = useTypedText(name, props.value ?? '')
  const isTime = type === 'date' || type === 'datetime-local'
  const input = (
    <input
      class="input"
      id={fieldId(name)}
      name={name}
      type={type}
      value={type === 'password' ? undefined : value}
      autocomplete={props.autocomplete}
      inputmode={props.inputmode}
      autocapitalize={type === 'text' && !isProse ? 'none' : undefined}
      spellcheck={isProse}
      required={!isOptional && !isFilter}
      minlength={isTime ? undefined : props.minlength}
      maxlength={isTime ? undefined : props.maxlength}
      pattern={props.pattern}
      max={props.max}
      {...useDescription(props, suffix)}
    />
  )
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      {suffix === undefined ? (
        input
      ) : (
        <div class="affixed" dir="ltr">
          {input}
          <span id={`${fieldId(name)}-suffix`}>{suffix}</span>
        </div>
      )}
    </div>
  )
}

export interface ColourFieldProps extends FieldBasics {
  /** Six hexadecimal digits after a number sign. */
  readonly value: string
}

/** Choice of a colour, which browsers never leave empty. */
export function ColourField(props: ColourFieldProps) {
  const { name } = props
  const value = useTypedText(name, props.value)
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <input
        class="colour"
        id={fieldId(name)}
        name={name}
        type="color"
        value={value}
        {...useDescription(props)}
      />
    </div>
  )
}

export interface FileFieldProps extends FieldBasics {
  /** File types the browser offers, as in the attribute `accept`. */
  readonly accept: string
  readonly isOptional?: boolean
}

export function FileField(props: FileFieldProps) {
  const { name, accept, isOptional = false } = props
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <input
        class="input"
        id={fieldId(name)}
        name={name}
        type="file"
        accept={accept}
        required={!isOptional}
        {...useDescription(props)}
      />
    </div>
  )
}

export interface TextAreaFieldProps extends FieldBasics {
  readonly value?: string
  readonly isOptional?: boolean
  readonly rows: number
  readonly maxlength: number
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { name, rows, maxlength, isOptional = false } = props
  const value = useTypedText(name, props.value ?? '')
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <textarea
        class="input"
        id={fieldId(name)}
        name={name}
        rows={rows}
        maxlength={maxlength}
        required={!isOptional}
        {...useDescription(props)}
      >
        {value}
      </textarea>
    </div>
  )
}

export interface SelectFieldProps extends FieldBasics {
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  /** Begins with an empty option, which is refused. */
  readonly mustChoose?: boolean
}

/** Choice from a few options. */
export function SelectField(props: SelectFieldProps) {
  const { name, options, mustChoose = false } = props
  const t = useTranslation()
  const value = useTypedText(name, props.value)
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <select class="input" id={fieldId(name)} name={name} required={mustChoose} {...useDescription(props)}>
        {mustChoose && <option value="">{t('form.chooseOne')}</option>}
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}

export interface ChoiceFieldProps {
  readonly name: string
  readonly label: string
  /** Empty where nothing is chosen by itself. */
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string; readonly hint?: string }[]
}

/** Choice from a few options of which each is explained. One has to be chosen. */
export function ChoiceField({ name, label, value: saved, options }: ChoiceFieldProps) {
  const value = useTypedText(name, saved)
  const { 'aria-describedby': describedBy } = useDescription({ name })
  return (
    <fieldset id={fieldId(name)} tabindex={-1} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <Problems name={name} />
      {options.map((option) => {
        const id = `${fieldId(name)}-${option.value}`
        return (
          <div class="choice">
            <input
              id={id}
              name={name}
              type="radio"
              value={option.value}
              checked={option.value === value}
              required
              aria-describedby={option.hint === undefined ? undefined : `${id}-hint`}
            />
            <label for={id}>
              {option.text}
              {option.hint !== undefined && (
                <span class="hint" id={`${id}-hint`}>
                  {option.hint}
                </span>
              )}
            </label>
          </div>
        )
      })}
    </fieldset>
  )
}

export interface CheckboxFieldProps {
  readonly name: string
  readonly label: Child
  readonly isChecked: boolean
  readonly isOptional?: boolean
  readonly hint?: Child
}

/** A box that must be ticked, unless it is optional. */
export function CheckboxField(props: CheckboxFieldProps) {
  const { name, label, isOptional = false, hint } = props
  const isChecked = useTicked(name, props.isChecked)
  return (
    <div class="field">
      <Problems name={name} />
      <div class="choice">
        <input
          id={fieldId(name)}
          name={name}
          type="checkbox"
          value="true"
          checked={isChecked}
          required={!isOptional}
          {...useDescription({ name, hint })}
        />
        <label for={fieldId(name)}>
          {label}
          {hint !== undefined && (
            <span class="hint" id={`${fieldId(name)}-hint`}>
              {hint}
            </span>
          )}
        </label>
      </div>
    </div>
  )
}

type Described = Pick<FieldBasics, 'name' | 'hint'>

/** Ties the explanation and the problems of a field to its input. */
function useDescription({ name, hint }: Described, suffix?: string) {
  const errors = useFieldErrors(name)
  const id = fieldId(name)
  const parts = [
    ...(errors.length > 0 ? [`${id}-error`] : []),
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(suffix === undefined ? [] : [`${id}-suffix`]),
  ]
  return {
    'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
    'aria-invalid': errors.length > 0 ? 'true' : undefined,
  }
}

function FieldLabel({ name, label, isOptional = false }: FieldBasics & { isOptional?: boolean }) {
  const t = useTranslation()
  return (
    <label for={fieldId(name)}>
      {label}
      {isOptional && <span class="quiet small"> {t('form.optional')}</span>}
    </label>
  )
}

function Hint({ name, hint }: Described) {
  if (hint === undefined) return null
  return (
    <p class="hint" id={`${fieldId(name)}-hint`}>
      {hint}
    </p>
  )
}

function Problems({ name }: Described) {
  const t = useTranslation()
  const errors = useFieldErrors(name)
  if (errors.length === 0) return null
  return (
    <p class="error" id={`${fieldId(name)}-error`}>
      <span class="hidden">{t('common.error')} </span>
      {errors.map((error) => errorText(t, error)).join(' ')}
    </p>
  )
}
