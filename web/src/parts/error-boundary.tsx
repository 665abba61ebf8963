import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
  /** A new value draws the view again. */
  readonly resetBy: string;
}

interface State {
  readonly failedAt: string | null;
}

/** Shows a message in place of a view that fails, and leaves the others reachable. React supports this in classes only. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failedAt: null };

  override componentDidUpdate(before: Props): void {
    if (before.resetBy !== this.props.resetBy && this.state.failedAt !== null) this.setState({ failedAt: null });
  }

  static getDerivedStateFromError(): State {
    return { failedAt: location.pathname };
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return (
      <div className="problem" role="alert">
        <p>Something went wrong in this view; the browser’s console has the details. Your runs are not affected.</p>
        <button type="button" className="button small" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    );
  }
}
