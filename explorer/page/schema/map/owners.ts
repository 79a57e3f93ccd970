/** Which services own the types. The gateway is asked when the map is first shown. */
import { useEffect, useState } from 'react'
import type { TypeOwners } from '../../../type-owners.ts'
import { ownersAddress } from '../../settings.ts'

/** Undefined until they are loaded, and if the gateway does not tell. */
export function useOwners(): TypeOwners | undefined {
  const [owners, setOwners] = useState<TypeOwners>()
  useEffect(() => {
    let isOver = false
    fetch(ownersAddress)
      .then(async (response) => (response.ok ? ((await response.json()) as TypeOwners) : undefined))
      .then(
        (told) => {
          if (!isOver) setOwners(told)
        },
        () => {},
      )
    return () => {
      isOver = true
    }
  }, [])
  return owners
}
