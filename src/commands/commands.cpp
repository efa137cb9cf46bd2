#include "commands/commands.hpp"

namespace sigstab {

std::vector<Command> all_commands() {
  return {run_command(),      plot_command(),   report_command(),     theory_command(),
          check_command(),    advise_command(), gains_command(),      diff_command(),
          inspect_command(),  new_command(),    list_command(),       show_command(),
          validate_command(), schema_command(), completion_command(), man_command()};
}

}  // namespace sigstab
