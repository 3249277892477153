import { Banner } from '../components/banner'
import { Button } from '../components/button'
import { TextField } from '../components/field'
import { type FormErrors, PostForm } from '../components/form'
import { FormPage } from '../components/form-page'
import { paths, signUpPath } from '../paths'
import type { FormPageProps, SignUpState } from '../site'

export type SignInField = 'username' | 'password'

export interface SignInPageProps extends FormPageProps {
  /** E-mail address or user name, as typed before. */
  readonly username: string
  readonly errors: FormErrors<SignInField>
  /** What has just happened, e.g. that the password was changed. */
  readonly message: string | null
  /** Name of the application that sent the person here. */
  readonly applicationName: string | null
  /** Where to go afterwards: a path on this server. */
  readonly returnTo: string | null
  readonly signUp: SignUpState
}

export function SignInPage(props: SignInPageProps) {
  const { site, viewer, errors, message, applicationName, csrfToken, returnTo, username } = props
  const { fields = {} } = errors
  return (
    <FormPage
      site={site}
      viewer={viewer}
      title="Sign in"
      errors={errors}
      intro={
        <>
          <p class="lead">
            with your account on <strong>{site.domain}</strong>
            {applicationName !== null && (
              <>
                {' to continue to '}
                <strong>{applicationName}</strong>
              </>
            )}
          </p>
          {message !== null && (
            <Banner kind="success">
              <p>{message}</p>
            </Banner>
          )}
        </>
      }
      after={
        props.signUp !== 'closed' && (
          <p class="aside">
            New here? <a href={signUpPath(returnTo)}>Sign up</a>
          </p>
        )
      }
    >
      <PostForm action={paths.signIn} csrfToken={csrfToken} hidden={{ return_to: returnTo }}>
        <TextField
          name="username"
          label="E-mail address or user name"
          value={username}
          autocomplete="username"
          inputmode="email"
          errors={fields.username}
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          errors={fields.password}
        />
        <Button>Sign in</Button>
      </PostForm>
      <p>
        <a href={paths.passwordForgotten}>Forgotten your password?</a>
      </p>
    </FormPage>
  )
}
