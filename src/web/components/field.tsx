import type { Child } from 'hono/jsx'

export function fieldId(name: string): string {
  return `field-${name}`
}

interface FieldBasics {
  readonly name: string
  readonly label: string
  readonly hint?: Child
  readonly errors?: readonly string[] | undefined
}

export interface TextFieldProps extends FieldBasics {
  readonly type?: 'text' | 'email' | 'password' | 'date'
  readonly value?: string
  /** Shown at the end of the field, e.g. the domain behind a user name. */
  readonly suffix?: string
  readonly autocomplete: string
  readonly inputmode?: 'text' | 'email' | 'numeric'
  readonly isOptional?: boolean
  readonly minlength?: number
  readonly maxlength?: number
  readonly pattern?: string
  readonly max?: string
}

/** Input for a line of text. Names, addresses and codes are never capitalised or spell-checked. */
export function TextField(props: TextFieldProps) {
  const { name, type = 'text', value = '', suffix, isOptional = false } = props
  const input = (
    <input
      id={fieldId(name)}
      name={name}
      type={type}
      value={type === 'password' ? undefined : value}
      autocomplete={props.autocomplete}
      inputmode={props.inputmode}
      autocapitalize="none"
      spellcheck={false}
      required={!isOptional}
      minlength={props.minlength}
      maxlength={props.maxlength}
      pattern={props.pattern}
      max={props.max}
      {...describe(props, suffix)}
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
        <div class="affixed">
          {input}
          <span id={`${fieldId(name)}-suffix`}>{suffix}</span>
        </div>
      )}
    </div>
  )
}

export interface FileFieldProps extends FieldBasics {
  /** File types the browser offers, as in the attribute `accept`. */
  readonly accept: string
}

export function FileField(props: FileFieldProps) {
  const { name, accept } = props
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <input id={fieldId(name)} name={name} type="file" accept={accept} required {...describe(props)} />
    </div>
  )
}

export interface TextAreaFieldProps extends FieldBasics {
  readonly value?: string
  readonly rows: number
  readonly maxlength: number
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { name, value = '', rows, maxlength } = props
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <textarea
        id={fieldId(name)}
        name={name}
        rows={rows}
        maxlength={maxlength}
        required
        {...describe(props)}
      >
        {value}
      </textarea>
    </div>
  )
}

export interface SelectFieldProps extends FieldBasics {
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
}

/** Choice from a few options. */
export function SelectField(props: SelectFieldProps) {
  const { name, value, options } = props
  return (
    <div class="field">
      <FieldLabel {...props} />
      <Hint {...props} />
      <Problems {...props} />
      <select id={fieldId(name)} name={name} {...describe(props)}>
        {options.map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </div>
  )
}

export interface CheckboxFieldProps {
  readonly name: string
  readonly label: Child
  readonly isChecked: boolean
  readonly isOptional?: boolean
  readonly errors?: readonly string[] | undefined
}

/** A box that must be ticked, unless it is optional. */
export function CheckboxField({ name, label, isChecked, isOptional = false, errors }: CheckboxFieldProps) {
  return (
    <div class="field">
      <Problems name={name} errors={errors} />
      <div class="checkbox">
        <input
          id={fieldId(name)}
          name={name}
          type="checkbox"
          value="true"
          checked={isChecked}
          required={!isOptional}
          {...describe({ name, errors })}
        />
        <label for={fieldId(name)}>{label}</label>
      </div>
    </div>
  )
}

type Described = Pick<FieldBasics, 'name' | 'hint' | 'errors'>

/** Ties the explanation and the problems of a field to its input. */
function describe({ name, hint, errors = [] }: Described, suffix?: string) {
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
  return (
    <label for={fieldId(name)}>
      {label}
      {isOptional && <span class="muted"> (optional)</span>}
    </label>
  )
}

function Hint({ name, hint }: Described) {
  if (hint === undefined) return null
  return (
    <p class="muted" id={`${fieldId(name)}-hint`}>
      {hint}
    </p>
  )
}

function Problems({ name, errors = [] }: Described) {
  if (errors.length === 0) return null
  return (
    <p class="field-error" id={`${fieldId(name)}-error`}>
      <span class="visually-hidden">Error: </span>
      {errors.join(' ')}
    </p>
  )
}
