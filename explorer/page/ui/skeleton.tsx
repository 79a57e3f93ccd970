/** The outline of the editor while it loads. `index.html` shows the same before any script runs. */
export function Skeleton() {
  return (
    <div className="skeleton" aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading the editor
      </p>
      {['library', 'operation', 'result'].map((part) => (
        <div key={part} className="skeleton-part" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}
