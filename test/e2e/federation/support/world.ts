import { type Instance, openInstance } from './instance'
import { Router } from './router'

/** Several instances that know the way to each other. */
export interface World {
  readonly router: Router
  readonly instances: readonly Instance[]
  /** The instance at `https://NAME.test`; fails where none of that name was opened. */
  instance(name: string): Instance
  close(): Promise<void>
}

/** Opens one instance for each name, `a` at `https://a.test`. */
export async function openWorld(...names: readonly string[]): Promise<World> {
  const router = new Router()
  router.install()
  const instances = await Promise.all(names.map((name) => openInstance(name, router)))
  const byName = new Map(names.map((name, index) => [name, instances[index]]))
  const instance = (name: string) => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`No instance ${name} was opened`)
    return found
  }
  const close = async () => {
    await Promise.all(instances.map((instance) => instance.close()))
    router.uninstall()
  }
  return { router, instances, instance, close }
}
