# Sourced by run.sh and test.sh: numbered, timed steps, and the name of the one that failed.
#   steps_total=4
#   step "Building"
#   steps_done

steps_total=${steps_total:-0}
step_number=0
step_name=
step_began=0
steps_began=$SECONDS
step_times=()

step_end() {
    [[ -z $step_name ]] && return
    step_times+=("$(printf '%5d s  %s' $((SECONDS - step_began)) "$step_name")")
    echo "-- $step_name: $((SECONDS - step_began)) s"
    step_name=
}

step() {
    step_end
    step_number=$((step_number + 1))
    step_name=$1
    step_began=$SECONDS
    echo
    echo "== [$step_number/$steps_total] $step_name"
}

steps_done() {
    step_end
    echo
    printf '%s\n' "${step_times[@]}"
    printf '%5d s  in all\n' $((SECONDS - steps_began))
}

steps_on_exit() {
    local status=$?
    if [[ $status -ne 0 && -n $step_name ]]; then
        echo >&2
        echo "${0##*/}: failed in step $step_number of $steps_total: $step_name" >&2
    fi
}
trap steps_on_exit EXIT
